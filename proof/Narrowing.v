(** The narrowing proof of Bailiwick, its core, over abstract value types.  Coq 8.16; no axioms. *)
Require Import List Bool Arith Lia.
Import ListNotations.
Set Implicit Arguments.

(** * 1. Inclusion of a row in a union of rows, by representatives *)
Section Inclusion.
Variable V : Type.                                   (* argument values; absence, null, wildcard are values here *)

(** One argument: its domain, the left row's set, the right rows' sets, and the representatives that a domain
    procedure (finite, intervals, automata, list closure ...) computed. *)
Record column := Col { dom : V -> Prop; left : V -> bool; rights : list (V -> bool); reps : list V }.

Definition vec (c : column) (v : V) : list bool := map (fun R => R v) (rights c).

Definition exact (c : column) : Prop :=              (* what each domain has to prove: sound and complete vectors *)
  Forall (dom c) (reps c) /\
  forall v, dom c v -> exists w, In w (reps c) /\ left c w = left c v /\ vec c w = vec c v.

Fixpoint meetv (a b : list bool) : list bool :=
  match a, b with x :: a', y :: b' => (x && y) :: meetv a' b' | _, _ => [] end.

Fixpoint first (f : V -> option (list V)) (ws : list V) : option (list V) :=
  match ws with [] => None | w :: r => match f w with Some x => Some x | None => first f r end end.

Fixpoint search (cols : list column) (alive : list bool) : option (list V) :=
  match cols with
  | [] => if forallb negb alive then Some [] else None
  | c :: cs => first (fun w => if left c w then
        match search cs (meetv alive (vec c w)) with Some r => Some (w :: r) | None => None end else None) (reps c)
  end.

(** the right rows still alive after a call, and what a counterexample is *)
Fixpoint survive (cols : list column) (alive : list bool) (call : list V) : list bool :=
  match cols, call with c :: cs, v :: vs => survive cs (meetv alive (vec c v)) vs | _, _ => alive end.

Definition counterexample cols alive call :=
  Forall2 (fun c v => dom c v /\ left c v = true) cols call /\ forallb negb (survive cols alive call) = true.

Lemma first_some f ws x : first f ws = Some x -> exists w, In w ws /\ f w = Some x.
Proof.
  induction ws as [|w r IH]; simpl; intros H; [discriminate|].
  destruct (f w) eqn:E; [injection H as <-; exists w; auto|].
  destruct (IH H) as [w' [? ?]]; exists w'; auto.
Qed.

Lemma first_none f ws w : first f ws = None -> In w ws -> f w = None.
Proof.
  induction ws as [|a r IH]; simpl; intros H I; [contradiction|].
  destruct (f a) eqn:E; [discriminate|]. destruct I as [<-|I]; auto.
Qed.

Theorem search_sound cols : Forall exact cols -> forall alive call,
  search cols alive = Some call -> counterexample cols alive call.
Proof.
  induction 1 as [|c cs [Hd Hc] _ IH]; simpl; intros alive call H.
  - destruct (forallb negb alive) eqn:E; [|discriminate]. injection H as <-. split; auto.
  - apply first_some in H as [w [Iw H]]. destruct (left c w) eqn:El; [|discriminate].
    destruct (search cs (meetv alive (vec c w))) as [r|] eqn:Es; [|discriminate]. injection H as <-.
    destruct (IH _ _ Es) as [F S]. split; [|exact S]. constructor; auto.
    split; auto. rewrite Forall_forall in Hd; auto.
Qed.

Theorem search_complete cols : Forall exact cols -> forall alive call,
  counterexample cols alive call -> search cols alive <> None.
Proof.
  induction 1 as [|c cs [Hd Hc] _ IH]; intros alive call [F S].
  - inversion F; subst; simpl in *. rewrite S; discriminate.
  - inversion F as [|? v ? vs [Dv Lv] F']; subst. simpl in S. simpl. intros N.
    destruct (Hc v Dv) as [w [Iw [Lw Vw]]].
    assert (X := first_none _ _ _ N Iw). simpl in X. rewrite Lw, Lv, Vw in X.
    destruct (search cs (meetv alive (vec c v))) eqn:E; [discriminate|].
    apply (IH (meetv alive (vec c v)) vs); [split; auto|exact E].
Qed.

(** Hence: search = None is a proof of inclusion, and search = Some is a call that widens. *)
Corollary decides cols : Forall exact cols -> forall alive,
  (search cols alive = None <-> forall call, ~ counterexample cols alive call).
Proof.
  intros E alive; split.
  - intros N call C; exact (search_complete E C N).
  - intros H. destruct (search cols alive) eqn:S; auto. exfalso; exact (H _ (search_sound E _ S)).
Qed.
(** What [counterexample] says, in plain words: the left row permits the call and no right row does. *)
Lemma F2_len A B (P : A -> B -> Prop) xs ys : Forall2 P xs ys -> length xs = length ys.
Proof. induction 1; simpl; auto. Qed.

Definition permits (i : nat) (cols : list column) (call : list V) :=
  Forall2 (fun c v => nth i (vec c v) false = true) cols call.

Lemma meetv_len a : forall b, length a = length b -> length (meetv a b) = length a.
Proof. induction a; destruct b; simpl; intros; auto; discriminate || (f_equal; auto). Qed.

Lemma meetv_nth a : forall b i, length a = length b -> nth i (meetv a b) false = nth i a false && nth i b false.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; simpl; intros i H; try discriminate; destruct i; auto.
Qed.

Lemma survive_spec k cols : Forall (fun c => length (rights c) = k) cols -> forall alive call i,
  length alive = k -> length call = length cols ->
  (nth i (survive cols alive call) false = true <-> nth i alive false = true /\ permits i cols call).
Proof.
  induction 1 as [|c cs Hc _ IH]; intros alive call i La Lc; destruct call as [|v vs]; simpl in *; try discriminate.
  - split; [intros; split; auto; constructor|tauto].
  - assert (Lv : length (vec c v) = k) by (unfold vec; rewrite map_length; auto).
    rewrite IH; [|rewrite meetv_len; lia|lia]. rewrite meetv_nth by lia. rewrite andb_true_iff. unfold permits.
    split; [intros [[A B] F]; split; auto|intros [A F]; inversion F; subst; auto].
Qed.

Lemma all_false l : forallb negb l = true <-> forall i, nth i l false = false.
Proof.
  split.
  - induction l as [|x l IH]; simpl; intros H i; [destruct i; auto|].
    apply andb_true_iff in H as [A B]. destruct i; auto. destruct x; auto; discriminate.
  - induction l as [|x l IH]; simpl; intros H; auto. rewrite IH; [|intros i; apply (H (S i))].
    specialize (H 0); simpl in H; rewrite H; auto.
Qed.

Theorem counterexample_means k cols : Forall (fun c => length (rights c) = k) cols -> forall call,
  counterexample cols (repeat true k) call <->
  Forall2 (fun c v => dom c v /\ left c v = true) cols call /\ forall i, i < k -> ~ permits i cols call.
Proof.
  intros Hk call. unfold counterexample. rewrite all_false. split.
  - intros [F N]. split; auto. intros i Hi P.
    assert (Lc : length call = length cols) by (symmetry; exact (F2_len F)).
    assert (T : nth i (survive cols (repeat true k) call) false = true).
    { apply (survive_spec Hk); auto. apply repeat_length. split; auto.
      clear -Hi. revert i Hi; induction k; intros i Hi; [lia|]. destruct i; simpl; auto. apply IHk; lia. }
    rewrite N in T; discriminate.
  - intros [F N]. split; auto. intros i.
    assert (Lc : length call = length cols) by (symmetry; exact (F2_len F)).
    destruct (nth i (survive cols (repeat true k) call) false) eqn:E; auto.
    apply (survive_spec Hk) in E; auto; [|apply repeat_length]. destruct E as [A P]. exfalso. apply (N i); auto.
    destruct (le_lt_dec k i) as [H|H]; auto.
    rewrite nth_overflow in A; [discriminate|rewrite repeat_length; auto].
Qed.
End Inclusion.

(** * 2. Lists: elements replaced one by one; as many elements as there are rows suffice *)
Section Lists.
Variable V : Type. Variable U : V -> Prop. Variable Rs : list (V -> bool). Variable reps : list V.
Hypothesis complete : forall v, U v -> exists w, In w reps /\ forall R, In R Rs -> R w = R v.

Theorem lists_by_reps l : Forall U l -> exists l', Forall (fun w => In w reps) l' /\ length l' = length l /\
  forall R, In R Rs -> forallb R l' = forallb R l.
Proof.
  induction 1 as [|v l Hv _ [l' [A [B C]]]].
  - exists []; auto.
  - destruct (complete Hv) as [w [Iw Ew]]. exists (w :: l'). simpl. repeat split; auto.
    intros R IR. rewrite Ew, C; auto.
Qed.
End Lists.

Theorem kernel (V : Type) (Rs : list (V -> bool)) (l : list V) : exists l',
  incl l' l /\ length l' <= length Rs /\ forall R, In R Rs -> forallb R l' = forallb R l.
Proof.
  induction Rs as [|R Rs [l0 [I [L E]]]].
  - exists []; simpl. repeat split; auto; [intros x []|contradiction].
  - assert (sub : forall (P : V -> bool) a, incl a l -> forallb P l = true -> forallb P a = true).
    { intros P a Ia Hl. rewrite forallb_forall in *. auto. }
    destruct (forallb R l) eqn:F.
    + exists l0. simpl. repeat split; auto. intros P [<-|IP]; auto. rewrite F; auto.
    + assert (X : exists x, In x l /\ R x = false).
      { clear - F. induction l as [|a l IH]; simpl in F; [discriminate|].
        destruct (R a) eqn:Ra; simpl in F; [destruct (IH F) as [x [? ?]]; exists x; simpl; auto|exists a; simpl; auto]. }
      destruct X as [x [Ix Rx]]. exists (x :: l0). simpl. repeat split; auto; try lia.
      * intros y [<-|Iy]; auto.
      * intros P [<-|IP]; [rewrite F, Rx; reflexivity|].
        destruct (forallb P l) eqn:G.
        -- rewrite forallb_forall in G. rewrite (G x Ix). simpl. rewrite E; auto. rewrite forallb_forall; auto.
        -- rewrite (E P IP), G. apply andb_false_r.
Qed.

(** * 3. The meet is the security property; the narrowing proof is about what the words promise *)
Section Meet.
Variables X Y : Type.                                (* the mentioned arguments, the rest *)
Definition proj (C : X * Y -> Prop) (x : X) := exists y, C (x, y).
Definition narrows (O : X -> Prop) (C : X * Y -> Prop) := forall x, O x -> proj C x.
Definition eff (O : X -> Prop) (C : X * Y -> Prop) (c : X * Y) := C c /\ O (fst c).
Definition repair (O : X -> Prop) C x := O x /\ proj C x.

Theorem never_wider O C c : eff O C c -> C c.                       (* whatever the overlay says, proved or not *)
Proof. intros [H _]; exact H. Qed.
Theorem repair_narrows O C : narrows (repair O C) C.
Proof. intros x [_ H]; exact H. Qed.
Theorem repair_same O C c : eff (repair O C) C c <-> eff O C c.
Proof. destruct c as [x y]; unfold eff, repair, proj; simpl; firstorder. Qed.
Theorem repair_greatest (O P : X -> Prop) (C : X * Y -> Prop) : (forall x, P x -> O x) -> narrows P C -> forall x, P x -> repair O C x.
Proof. firstorder. Qed.
Theorem order_free O1 O2 C c : eff O1 (eff O2 C) c <-> eff O2 (eff O1 C) c.
Proof. unfold eff; tauto. Qed.
End Meet.

(** * 4. Approval: deny < ask < allow; union takes the best, meet the worst *)
Inductive grade := deny | ask | allow.
Definition rank g := match g with deny => 0 | ask => 1 | allow => 2 end.
Definition meetg a b := if rank a <=? rank b then a else b.
Theorem approval_never_removed a b : rank (meetg a b) <= rank a /\ rank (meetg a b) <= rank b.
Proof. destruct a, b; simpl; auto. Qed.

(** * 5. Settling by unique completion *)
Section Settling.
Variable call : Type. Variable compl : call -> call -> Prop.        (* compl c f: f makes c explicit *)
Definition settles (P : call -> Prop) c f :=
  (P c /\ f = c) \/ (~ P c /\ compl c f /\ P f /\ forall g, compl c g -> P g -> g = f).
Theorem settled_permitted P c f : settles P c f -> P f.
Proof. intros [[H ->]|[_ [_ [H _]]]]; auto. Qed.
Theorem settled_functional P c f g : settles P c f -> settles P c g -> f = g.
Proof. intros [[A ->]|[A [B [D E]]]] [[A' ->]|[A' [B' [D' E']]]]; subst; auto; try contradiction. Qed.
Theorem settled_idempotent P c f : settles P c f -> settles P f f.
Proof. intros H; left; split; auto. exact (settled_permitted H). Qed.
(** nothing an overlay says can add a FORWARDED call (raw calls may be added: fewer values, a unique completion) *)
Theorem settled_monotone (P Q : call -> Prop) c f : (forall x, P x -> Q x) -> settles P c f -> settles Q f f.
Proof. intros S H; left; split; auto. apply S, (settled_permitted H). Qed.
End Settling.

Print Assumptions decides. Print Assumptions counterexample_means. Print Assumptions kernel. Print Assumptions repair_same. Print Assumptions settled_monotone.
Print Assumptions search_sound. Print Assumptions search_complete. Print Assumptions lists_by_reps.
Print Assumptions never_wider. Print Assumptions repair_narrows. Print Assumptions repair_greatest.
Print Assumptions order_free. Print Assumptions approval_never_removed. Print Assumptions settled_functional.
Print Assumptions settled_idempotent.

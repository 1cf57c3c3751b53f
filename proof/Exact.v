(** The truth vectors of each type are exact: those of the representatives are the ones that some value realises.
    Together with [Narrowing.search_sound] and [search_complete] this is the whole of the proof for these types.
    Coq 8.16; no axioms. *)
Require Import List Bool Arith ZArith Lia.
Require Import Narrowing.
Import ListNotations.
Set Implicit Arguments.

(** * Exactness: of values [U], by representatives [reps], for the sets [Rs] *)
Section Exact.
Variable V : Type.

Definition vector (Rs : list (V -> bool)) (v : V) : list bool := map (fun R => R v) Rs.

(** sound: a representative is a value; complete: every value has the vector of a representative *)
Definition exact_for (U : V -> Prop) (Rs : list (V -> bool)) (reps : list V) : Prop :=
  (forall w, In w reps -> U w) /\ (forall v, U v -> exists w, In w reps /\ vector Rs w = vector Rs v).

(** the vectors listed are exactly those realised *)
Theorem exact_vectors U Rs reps : exact_for U Rs reps ->
  forall b, In b (map (vector Rs) reps) <-> exists v, U v /\ vector Rs v = b.
Proof.
  intros [S C] b. rewrite in_map_iff. split.
  - intros [w [E I]]. exists w; auto.
  - intros [v [Uv E]]. destruct (C v Uv) as [w [I Ew]]. exists w. rewrite Ew; auto.
Qed.

(** what a column of the search asks for *)
Theorem exact_column U Rs reps (L : V -> bool) : exact_for U (L :: Rs) reps ->
  exact (@Col V U L Rs reps).
Proof.
  intros [S C]. split; simpl.
  - rewrite Forall_forall; auto.
  - intros v Uv. destruct (C v Uv) as [w [I E]]. exists w. simpl in E. injection E as A B. auto.
Qed.

(** Boolean combinations of atoms: it is enough that the vectors over the atoms are exact *)
Lemma vector_in Rs v w R : vector Rs w = vector Rs v -> In R Rs -> R w = R v.
Proof.
  induction Rs as [|A Rs IH]; simpl; intros E I; [contradiction|].
  injection E as E1 E2. destruct I as [<-|I]; auto.
Qed.

Inductive formula := Atom (i : nat) | Always | Not (f : formula) | And (f g : formula) | Or (f g : formula).
Fixpoint eval (f : formula) (b : list bool) : bool :=
  match f with
  | Atom i => nth i b false | Always => true | Not f => negb (eval f b)
  | And f g => eval f b && eval g b | Or f g => eval f b || eval g b
  end.

Theorem combinations_exact U atoms reps (fs : list formula) : exact_for U atoms reps ->
  exact_for U (map (fun f v => eval f (vector atoms v)) fs) reps.
Proof.
  intros [S C]. split; auto. intros v Uv. destruct (C v Uv) as [w [I E]]. exists w; split; auto.
  unfold vector at 1 3. rewrite !map_map. apply map_ext. intros f. rewrite E; reflexivity.
Qed.

(** fewer sets *)
Theorem exact_subset U Rs Qs reps : (forall Q, In Q Qs -> In Q Rs) -> exact_for U Rs reps -> exact_for U Qs reps.
Proof.
  intros Sub [S C]. split; auto. intros v Uv. destruct (C v Uv) as [w [I E]]. exists w; split; auto.
  unfold vector. apply map_ext_in. intros Q IQ. apply (vector_in Rs); auto.
Qed.
End Exact.

(** * Finite types: bool, enum: every value represents itself *)
Theorem finite_exact (V : Type) (values : list V) (Rs : list (V -> bool)) :
  exact_for (fun v => In v values) Rs values.
Proof. split; auto. intros v I; exists v; auto. Qed.

(** * Integers: sets whose membership changes only at listed points *)
Section Interval.
Open Scope Z_scope.

(** [cuts]: R is constant between neighbouring cuts: it answers alike for x and y unless some cut lies in (min, max] *)
Definition constant_between (cuts : list Z) (R : Z -> bool) : Prop :=
  forall x y, x <= y -> (forall c, In c cuts -> ~ (x < c <= y)) -> R x = R y.

(** The range low..high, both ends in, changes at low and at high + 1. *)
Definition range (low high x : Z) : bool := (low <=? x) && (x <=? high).
Theorem range_cuts low high : constant_between [low; high + 1] (range low high).
Proof.
  intros x y H N. unfold range. assert (A := N low (or_introl eq_refl)).
  assert (B := N (high + 1) (or_intror (or_introl eq_refl))).
  destruct (Z.leb_spec low x), (Z.leb_spec low y), (Z.leb_spec x high), (Z.leb_spec y high); simpl; auto; lia.
Qed.
Definition at_least (low x : Z) : bool := low <=? x.
Theorem at_least_cuts low : constant_between [low] (at_least low).
Proof.
  intros x y H N. unfold at_least. assert (A := N low (or_introl eq_refl)).
  destruct (Z.leb_spec low x), (Z.leb_spec low y); auto; lia.
Qed.
Definition at_most (high x : Z) : bool := x <=? high.
Theorem at_most_cuts high : constant_between [high + 1] (at_most high).
Proof.
  intros x y H N. unfold at_most. assert (A := N (high + 1) (or_introl eq_refl)).
  destruct (Z.leb_spec x high), (Z.leb_spec y high); auto; lia.
Qed.
Theorem more_cuts cuts more R : incl cuts more -> constant_between cuts R -> constant_between more R.
Proof. intros I C x y H N. apply C; auto. Qed.

(** the greatest cut not above v, or the least value if there is none *)
Fixpoint floor (cuts : list Z) (low v : Z) : Z :=
  match cuts with [] => low | c :: r => if (c <=? v) && (floor r low v <=? c) then c else floor r low v end.

Lemma floor_below cuts low v : low <= v -> low <= floor cuts low v <= v.
Proof.
  induction cuts as [|c r IH]; simpl; intros H; [lia|]. specialize (IH H).
  destruct (Z.leb_spec c v), (Z.leb_spec (floor r low v) c); simpl; lia.
Qed.
Lemma floor_greatest cuts low v c : In c cuts -> c <= v -> c <= floor cuts low v.
Proof.
  induction cuts as [|d r IH]; simpl; intros I H; [contradiction|].
  destruct I as [<-|I].
  - destruct (Z.leb_spec d v), (Z.leb_spec (floor r low v) d); simpl; lia.
  - specialize (IH I H). destruct (Z.leb_spec d v), (Z.leb_spec (floor r low v) d); simpl; lia.
Qed.
Lemma floor_in cuts low v : floor cuts low v = low \/ In (floor cuts low v) cuts.
Proof.
  induction cuts as [|c r IH]; simpl; auto.
  destruct ((c <=? v) && (floor r low v <=? c)); [right; auto|destruct IH; auto].
Qed.

(** the values from low to high: low and every cut in between represent them *)
Definition points (cuts : list Z) (low high : Z) : list Z :=
  filter (fun x => (low <=? x) && (x <=? high)) (low :: cuts).

Theorem interval_exact cuts Rs low high : Forall (constant_between cuts) Rs ->
  exact_for (fun v => low <= v <= high) Rs (points cuts low high).
Proof.
  intros C. split.
  - intros w I. apply filter_In in I as [_ I]. apply andb_true_iff in I as [A B].
    apply Z.leb_le in A, B. lia.
  - intros v [Hl Hh]. exists (floor cuts low v). assert (B := @floor_below cuts low v Hl). split.
    + apply filter_In. split.
      * destruct (floor_in cuts low v) as [E|I]; [left; auto|right; auto].
      * apply andb_true_iff. rewrite !Z.leb_le. lia.
    + unfold vector. apply map_ext_in. intros R IR. rewrite Forall_forall in C. apply (C R IR); [lia|].
      intros c Ic [L U]. assert (G := @floor_greatest cuts low v c Ic U). lia.
Qed.
End Interval.

(** * Optional: absence, null, unspecified are points of their own beside the values *)
Section Optional.
Variable V : Type.
Variables (extra : nat).                             (* how many points that are no values *)

Definition point := (V + nat)%type.
Definition is_point (U : V -> Prop) (p : point) : Prop :=
  match p with inl v => U v | inr k => k < extra end.
(** a set of values, and which of the points it admits *)
Definition slot := ((V -> bool) * (nat -> bool))%type.
Definition admits (s : slot) (p : point) : bool := match p with inl v => fst s v | inr k => snd s k end.

Theorem optional_exact U (slots : list slot) reps : exact_for U (map fst slots) reps ->
  exact_for (is_point U) (map admits slots) (map inl reps ++ map inr (seq 0 extra)).
Proof.
  intros [S C]. split.
  - intros w I. apply in_app_or in I as [I|I]; apply in_map_iff in I as [x [<- I]]; simpl; auto.
    apply in_seq in I; lia.
  - intros [v|k] P; simpl in P.
    + destruct (C v P) as [w [I E]]. exists (inl w). split.
      * apply in_or_app; left. apply in_map; auto.
      * unfold vector in *. rewrite !map_map in *. exact E.
    + exists (inr k). split; auto. apply in_or_app; right. apply in_map. apply in_seq; lia.
Qed.
End Optional.

(** * Sums: the alternatives of a union, which are disjoint; also a coupled dimension, one summand for each value named *)
Section Sum.
Variables A B : Type.
Definition case (P : A -> Prop) (Q : B -> Prop) (s : A + B) : Prop := match s with inl a => P a | inr b => Q b end.
Definition either (R : (A -> bool) * (B -> bool)) (s : A + B) : bool := match s with inl a => fst R a | inr b => snd R b end.

Theorem sum_exact P Q (Rs : list ((A -> bool) * (B -> bool))) ra rb :
  exact_for P (map fst Rs) ra -> exact_for Q (map snd Rs) rb ->
  exact_for (case P Q) (map either Rs) (map inl ra ++ map inr rb).
Proof.
  intros [Sa Ca] [Sb Cb]. split.
  - intros w I. apply in_app_or in I as [I|I]; apply in_map_iff in I as [x [<- I]]; simpl; auto.
  - intros [a|b] H; simpl in H.
    + destruct (Ca a H) as [w [I E]]. exists (inl w). split; [apply in_or_app; left; apply in_map; auto|].
      unfold vector in *. rewrite !map_map in *. exact E.
    + destruct (Cb b H) as [w [I E]]. exists (inr w). split; [apply in_or_app; right; apply in_map; auto|].
      unfold vector in *. rewrite !map_map in *. exact E.
Qed.
End Sum.

(** * Pairs: the members of a record, one by one; a set is a product *)
Section Pair.
Variables A B : Type.
Definition both (P : A -> Prop) (Q : B -> Prop) (p : A * B) : Prop := P (fst p) /\ Q (snd p).
Definition product (R : (A -> bool) * (B -> bool)) (p : A * B) : bool := fst R (fst p) && snd R (snd p).

Theorem pair_exact P Q (Rs : list ((A -> bool) * (B -> bool))) ra rb :
  exact_for P (map fst Rs) ra -> exact_for Q (map snd Rs) rb ->
  exact_for (both P Q) (map product Rs) (list_prod ra rb).
Proof.
  intros [Sa Ca] [Sb Cb]. split.
  - intros [a b] I. apply in_prod_iff in I as [Ia Ib]. split; simpl; auto.
  - intros [a b] [Pa Qb]; simpl in *. destruct (Ca a Pa) as [x [Ix Ex]]. destruct (Cb b Qb) as [y [Iy Ey]].
    exists (x, y). split; [apply in_prod; auto|].
    unfold vector in *. rewrite !map_map in *. clear - Ex Ey. induction Rs as [|R Rs IH]; simpl in *; auto.
    injection Ex as A1 A2. injection Ey as B1 B2. f_equal; auto. unfold product; simpl. rewrite A1, B1; auto.
Qed.
End Pair.

(** * Lists: sets are "each element in S" and sizes; lists over representatives, up to one more than the largest size said
    and than there are sets, represent all *)
Section Lists.
Variable V : Type.
Variable U : V -> Prop.

(** each element in the set, and the size from low to high (none: without end) *)
Record lists := Lists { each : V -> bool; low : nat; high : option nat }.
Definition sized (s : lists) (n : nat) : bool :=
  (low s <=? n) && match high s with None => true | Some h => n <=? h end.
Definition in_lists (s : lists) (l : list V) : bool := forallb (each s) l && sized s (length l).

(** sizes from [far] on are alike *)
Definition far (s : lists) : nat := Nat.max (low s) (match high s with None => 0 | Some h => S h end).
Lemma sized_far s n m : far s <= n -> far s <= m -> sized s n = sized s m.
Proof.
  unfold far, sized. intros Hn Hm. destruct (high s) as [h|].
  - destruct (Nat.leb_spec (low s) n), (Nat.leb_spec (low s) m), (Nat.leb_spec n h), (Nat.leb_spec m h); simpl; auto; lia.
  - destruct (Nat.leb_spec (low s) n), (Nat.leb_spec (low s) m); simpl; auto; lia.
Qed.

(** every list over [reps] of length n *)
Fixpoint of_length (reps : list V) (n : nat) : list (list V) :=
  match n with 0 => [[]] | S n => map (fun p => fst p :: snd p) (list_prod reps (of_length reps n)) end.
Lemma of_length_spec reps n : forall l, In l (of_length reps n) <-> length l = n /\ Forall (fun v => In v reps) l.
Proof.
  induction n as [|n IH]; intros l; simpl.
  - split; [intros [<-|[]]; auto|]. destruct l; simpl; intros [H _]; auto; discriminate.
  - rewrite in_map_iff. split.
    + intros [[v r] [<- I]]. apply in_prod_iff in I as [Iv Ir]. apply IH in Ir as [L F]. simpl. split; auto.
    + destruct l as [|v r]; simpl; intros [L F]; [discriminate|]. inversion F; subst. exists (v, r). split; auto.
      apply in_prod; auto. apply IH. split; auto.
Qed.
Definition up_to (reps : list V) (n : nat) : list (list V) := flat_map (of_length reps) (seq 0 (S n)).
Lemma up_to_spec reps n l : In l (up_to reps n) <-> length l <= n /\ Forall (fun v => In v reps) l.
Proof.
  unfold up_to. rewrite in_flat_map. split.
  - intros [k [Ik Il]]. apply in_seq in Ik. apply of_length_spec in Il as [<- F]. split; auto; lia.
  - intros [L F]. exists (length l). split; [apply in_seq; lia|apply of_length_spec; auto].
Qed.

(** a list longer than m has a part of length m or less that answers alike, and can be filled up with its own elements *)
Lemma fill (l k : list V) m : incl k l -> length k <= m -> k <> [] -> exists f,
  incl k f /\ incl f l /\ length f = m.
Proof.
  intros I L N. destruct k as [|v k]; [congruence|]. exists (repeat v (m - length (v :: k)) ++ v :: k). split; [|split].
  - intros x Ix. apply in_or_app; auto.
  - intros x Ix. apply in_app_or in Ix as [Ix|Ix]; auto. apply repeat_spec in Ix; subst. apply I; simpl; auto.
  - rewrite app_length, repeat_length. lia.
Qed.
Lemma all_alike (R : V -> bool) a b : incl a b -> incl b a -> forallb R a = forallb R b.
Proof.
  intros I J. destruct (forallb R b) eqn:E.
  - rewrite forallb_forall in *. auto.
  - destruct (forallb R a) eqn:F; auto. rewrite forallb_forall in F. assert (forallb R b = true); [|congruence].
    rewrite forallb_forall; auto.
Qed.

Theorem shorten (Ss : list lists) (l : list V) m :
  (forall s, In s Ss -> far s <= m) -> length Ss <= m -> 0 < m -> m < length l -> exists l',
  incl l' l /\ length l' = m /\ forall s, In s Ss -> in_lists s l' = in_lists s l.
Proof.
  intros Far Len Pos Long. destruct (@kernel V (map each Ss) l) as [k [Ik [Lk Ek]]]. rewrite map_length in Lk.
  destruct l as [|v0 rest] eqn:El; [simpl in Long; lia|]. rewrite <- El in *.
  assert (Iv : In v0 l) by (rewrite El; simpl; auto).
  destruct (Nat.eq_dec (length k) 0) as [Z|NZ].
  - (* no set is refuted: any one element will do *)
    destruct k; [|simpl in Z; lia].
    destruct (@fill l [v0] m) as [f [If1 [If2 Lf]]]; simpl; try congruence; try lia; [intros x [<-|[]]; auto|].
    exists f. split; auto. split; auto. intros s Is. unfold in_lists.
    assert (E : forallb (each s) l = true) by (rewrite <- (Ek (each s)); [reflexivity|apply in_map; auto]).
    rewrite E. assert (F : forallb (each s) f = true) by (rewrite forallb_forall in *; auto). rewrite F. simpl.
    apply sized_far; [rewrite Lf; auto|]. specialize (Far s Is); lia.
  - destruct (@fill l k m) as [f [If1 [If2 Lf]]]; auto; try lia; [destruct k; simpl in *; congruence|].
    exists f. split; auto. split; auto. intros s Is. unfold in_lists.
    assert (E : forallb (each s) f = forallb (each s) l).
    { assert (K := Ek (each s) (in_map each Ss s Is)). destruct (forallb (each s) l) eqn:G.
      - rewrite forallb_forall in *. auto.
      - destruct (forallb (each s) f) eqn:F; auto. rewrite forallb_forall in F.
        assert (forallb (each s) k = true); [rewrite forallb_forall; auto|congruence]. }
    rewrite E. f_equal. apply sized_far; [rewrite Lf; auto|]. specialize (Far s Is); lia.
Qed.

Theorem list_exact (Ss : list lists) reps m :
  exact_for U (map each Ss) reps -> (forall s, In s Ss -> far s <= m) -> length Ss <= m -> 0 < m ->
  exact_for (Forall U) (map in_lists Ss) (up_to reps m).
Proof.
  intros [S C] Far Len Pos. split.
  - intros w I. apply up_to_spec in I as [_ F]. rewrite Forall_forall in *; auto.
  - intros l Ul.
    assert (H : exists l0, Forall U l0 /\ length l0 <= m /\ forall s, In s Ss -> in_lists s l0 = in_lists s l).
    { destruct (le_lt_dec (length l) m) as [H|H]; [exists l; auto|].
      destruct (shorten Ss l Far Len Pos H) as [l0 [I [L E]]]. exists l0. split; [|split; auto; lia].
      rewrite Forall_forall in *. auto. }
    destruct H as [l0 [U0 [L0 E0]]].
    assert (Complete : forall v, U v -> exists w, In w reps /\ forall R, In R (map each Ss) -> R w = R v).
    { intros v Uv. destruct (C v Uv) as [w [Iw Ew]]. exists w; split; auto. intros R IR. apply (vector_in (map each Ss)); auto. }
    destruct (@lists_by_reps V U (map each Ss) reps Complete l0 U0) as [l' [F [L E]]].
    exists l'. split; [apply up_to_spec; split; auto; lia|].
    unfold vector. rewrite !map_map. apply map_ext_in. intros s Is. rewrite <- E0 by auto.
    unfold in_lists. rewrite L, (E (each s)); auto. apply in_map; auto.
Qed.
End Lists.

Print Assumptions exact_vectors. Print Assumptions exact_column. Print Assumptions combinations_exact.
Print Assumptions finite_exact. Print Assumptions interval_exact. Print Assumptions optional_exact.
Print Assumptions sum_exact. Print Assumptions pair_exact. Print Assumptions list_exact.
Print Assumptions shorten. Print Assumptions range_cuts. Print Assumptions at_least_cuts. Print Assumptions at_most_cuts.

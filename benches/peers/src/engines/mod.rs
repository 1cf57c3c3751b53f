//! One file per engine. To plug one in: add the file, a `mod`, and one line in `for_each`.

pub mod bailiwick;
pub mod native;

#[cfg(feature = "biscuit")]
pub mod biscuit;
#[cfg(feature = "casbin")]
pub mod casbin;
#[cfg(feature = "cedar")]
pub mod cedar;
#[cfg(feature = "cel")]
pub mod cel;
#[cfg(feature = "regorus")]
pub mod regorus;
#[cfg(feature = "zen")]
pub mod zen;

use crate::engine::Visitor;

/// Calls the visitor once per engine, in the order of the report.
pub fn for_each(v: &mut impl Visitor) {
    v.visit::<native::SerdeValue>();
    v.visit::<native::Native>();
    v.visit::<native::NativeTyped>();
    v.visit::<bailiwick::Bailiwick>();
    #[cfg(feature = "cedar")]
    {
        v.visit::<cedar::CedarPerTool>();
        v.visit::<cedar::CedarSliced>();
        v.visit::<cedar::CedarSlicedExpr>();
        v.visit::<cedar::CedarEntities>();
    }
    #[cfg(feature = "regorus")]
    {
        v.visit::<regorus::RegorusInterp>();
        v.visit::<regorus::RegorusCompiled>();
        v.visit::<regorus::RegorusRvm>();
    }
    #[cfg(feature = "cel")]
    v.visit::<cel::Cel>();
    #[cfg(feature = "casbin")]
    v.visit::<casbin::Casbin>();
    #[cfg(feature = "biscuit")]
    {
        v.visit::<biscuit::BiscuitAllFacts>();
        v.visit::<biscuit::BiscuitSliced>();
    }
    #[cfg(feature = "zen")]
    v.visit::<zen::ZenTable>();
}

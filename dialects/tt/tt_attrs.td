#ifndef TTKIT_TT_ATTRS
#define TTKIT_TT_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "tt/tt_dialect.td"
include "tt/tt_enums.td"

def TT_CachePolicyAttr : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "cache modifier and eviction policy of a load or store";
  let description = [{
    As Triton 3.9 writes them, `{cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal>}`.
    Canonicalization makes the properties `cache` and `evict` of it.
  }];
  let parameters = (ins EnumParameter<TT_CacheModifierAttr>:$cache_modifier,
                        EnumParameter<TT_EvictionPolicyAttr>:$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // TTKIT_TT_ATTRS

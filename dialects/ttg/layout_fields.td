// The parameters of layouts.  dialects/python/layouts.py makes of them what reads and prints a layout in C++, and the
// fields of its Python class: a new field is a line here in the td file, and what its verifiers say of it.
//
// A field has the parameter's name as its key; `ifAbsent` is what it is where the text has none, and then it is not
// printed, unless it `isAlwaysPrinted`.  Without `ifAbsent` it is zero, false or empty in text that leaves it out, and
// Python wants a value.

#ifndef TTKIT_TTG_LAYOUT_FIELDS
#define TTKIT_TTG_LAYOUT_FIELDS

include "mlir/IR/AttrTypeBase.td"

// `isRequired`: text without it is an error.  `oldKey`: its key in older versions, which is read too.
class Unsigned<string description, string ifAbsent = "", bit isRequired = 0, string oldKey = "",
               bit isAlwaysPrinted = 0>
    : AttrOrTypeParameter<"unsigned", description> {
  let defaultValue = ifAbsent;
  bit alwaysPrinted = isAlwaysPrinted;
  bit required = isRequired;
  string olderKey = oldKey;
}

class Flag<string description, string ifAbsent = "", bit isAlwaysPrinted = 0>
    : AttrOrTypeParameter<"bool", description> {
  let defaultValue = ifAbsent;
  bit alwaysPrinted = isAlwaysPrinted;
}

// A word without quotes.
class Word<string description, string ifAbsent> : StringRefParameter<description> {
  let defaultValue = "\"" # ifAbsent # "\"";
}

class Unsigneds<string description, string ifAbsent = ""> : ArrayRefParameter<"unsigned", description> {
  let defaultValue = ifAbsent;
}

// Where the text has none: a one for each element of the field `of`.
class OnesIfAbsent<string description, string of> : ArrayRefParameter<"unsigned", description> {
  string like = of;
}

class Parent<string description, string type> : AttrOrTypeParameter<type, description> {
  bit required = 1;
}

class Linear<string description, list<string> indexNames>
    : AttrParameter<"::ttkit::ttg::LinearLayout", description, "const ::ttkit::ttg::LinearLayout &"> {
  list<string> indices = indexNames;
}

// Its rank is the length of the field `of`.
class CGA<string of> : Linear<"bases of the CTA index: how the CTAs of a cluster share the tensor", ["block"]> {
  string like = of;
}

// Its rank is a field of the text only, `rank`, which is not printed if it is 2 or the bases show it.
def RankedCGA : CGA<"">;

#endif // TTKIT_TTG_LAYOUT_FIELDS

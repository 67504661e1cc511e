# cmake -D from=FILE -D to=FILE -P without_descriptions.cmake
#
# Copies what mlir-tblgen wrote, without the descriptions of td files, if that changes the copy.
file(READ ${from} text)
string(REGEX REPLACE "\n *///[^\n]*" "" text "${text}")
if(EXISTS ${to})
  file(READ ${to} known)
endif()
if(NOT DEFINED known OR NOT known STREQUAL text)
  file(WRITE ${to} "${text}")
endif()

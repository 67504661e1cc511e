# Names whose type no checker can know, for `if TYPE_CHECKING`; there is no such module at run time.
from typing import Any

def __getattr__(name: str) -> Any: ...

from pydd_runtime import get_num_threads as get_num_threads
from pydd_runtime import set_num_threads as set_num_threads

from . import intrepydd as intrepydd
from . import numba as numba
from . import python as python
from ._build import compile as compile
from ._build import load as load
from ._compiler import CompileError as CompileError
from ._compiler import PyddWarning as PyddWarning
from ._decorators import jit as jit
from ._decorators import kernel as kernel
from ._find import find_compiler as find_compiler
from .intrepydd import *
from .python import load as interpret

__version__: str

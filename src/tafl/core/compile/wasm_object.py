"""Object files of WebAssembly, made runnable without a linker.

An object file of LLVM is a module whose indices and addresses are already right if it is linked
alone. Only exports are missing. Memory and stack are imported (`__linear_memory`,
`__stack_pointer`), as mathematical functions are. So a single object needs no linker.

Sections: https://webassembly.github.io/spec/core/binary/modules.html, and for the symbol table
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
"""

from dataclasses import dataclass

MAGIC = b"\0asm\1\0\0\0"
CUSTOM, IMPORT, EXPORT, DATA_COUNT = 0, 2, 7, 12
BEFORE_EXPORT = (1, 2, 3, 4, 5, 13, 6)  # sections in their order; 13 is that of exceptions
SYMBOL_TABLE = 8  # a part of the section `linking`
FUNCTION, DATA, SECTION = 0, 1, 3  # kinds of symbols; others look like functions
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40


class Reader:
    """Bytes, read from the front."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def __bool__(self) -> bool:
        return self.at < len(self.data)

    def byte(self) -> int:
        """Read the next byte."""
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """Read an unsigned number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def bytes(self) -> bytes:
        """Read a length, and that many bytes."""
        size = self.number()
        self.at += size
        return self.data[self.at - size : self.at]

    def name(self) -> str:
        """Read a length, and that many bytes of text."""
        return self.bytes().decode()


def number(value: int) -> bytes:
    """Encode an unsigned number in LEB128.

    >>> number(300).hex()
    'ac02'
    """
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def sized(content: bytes) -> bytes:
    """Return bytes preceded by their length."""
    return number(len(content)) + content


@dataclass(frozen=True)
class Module:
    """A module in its sections: number and content, in their order."""

    sections: list[tuple[int, bytes]]

    @classmethod
    def read(cls, data: bytes) -> "Module":
        """Read a module from the bytes of a file."""
        if not data.startswith(MAGIC):
            raise ValueError("this is not WebAssembly")
        reader, sections = Reader(data[len(MAGIC) :]), []
        while reader:
            kind = reader.byte()
            sections.append((kind, reader.bytes()))
        return cls(sections)

    @property
    def data(self) -> bytes:
        """Return the module as a file."""
        return MAGIC + b"".join(bytes([kind]) + sized(body) for kind, body in self.sections)

    @property
    def imports(self) -> list[str]:
        """Return the names of its imports."""
        found = []
        for kind, body in self.sections:
            reader = Reader(body)
            for _ in range(reader.number() if kind == IMPORT else 0):
                reader.name()
                found.append(reader.name())
                _skip_import(reader)
        return found


def _skip_import(reader: Reader) -> None:
    """Skip the description of an import: a function, table, memory or global."""
    kind = reader.byte()
    if kind == 0:
        reader.number()
    elif kind == 3:
        reader.at += 2
    else:
        if kind == 1:
            reader.byte()
        limits = reader.byte()
        for _ in range(1 + (limits & 1)):
            reader.number()


def exporting(module: Module, names: list[str]) -> Module:
    """Return an object file as a module that exports these functions, without linker data."""
    functions = defined_functions(module)
    exports = [sized(name.encode()) + b"\0" + number(functions[name]) for name in names]
    section = EXPORT, number(len(exports)) + b"".join(exports)
    plain = [(kind, body) for kind, body in module.sections if kind != CUSTOM]
    before = [part for part in plain if part[0] in BEFORE_EXPORT]
    return Module([*before, section, *plain[len(before) :]])


def with_section(data: bytes, name: str, content: bytes) -> bytes:
    """Return a module with one more custom section."""
    return data + bytes([CUSTOM]) + sized(sized(name.encode()) + content)


def defined_functions(module: Module) -> dict[str, int]:
    """Return the functions that an object file defines, from its symbol table."""
    for kind, body in module.sections:
        reader = Reader(body)
        if kind == CUSTOM and reader.name() == "linking":
            reader.number()  # version
            while reader:
                part, content = reader.byte(), reader.bytes()
                if part == SYMBOL_TABLE:
                    return _functions(Reader(content))
    raise ValueError("this object file has no symbol table")


def _functions(reader: Reader) -> dict[str, int]:
    found = {}
    for _ in range(reader.number()):
        kind, flags = reader.byte(), reader.number()
        defined = not flags & UNDEFINED
        if kind == DATA:
            reader.name()
            if defined:
                reader.number(), reader.number(), reader.number()
        elif kind == SECTION:
            reader.number()
        else:
            index = reader.number()
            name = reader.name() if defined or flags & EXPLICIT_NAME else ""
            if kind == FUNCTION and defined:
                found[name] = index
    return found

"""Random sequential C programs without undefined behaviour, a pure function of the seed.

A check is a function that computes a checksum; a file has many checks. Integers of all widths and signs, floats, shifts,
casts, arrays, structs, unions, bit-fields, pointers, function pointers, recursion, variable arguments, loops, switch,
goto, static variables, heap objects, string functions. What would be undefined is avoided by construction: arithmetic
that could overflow is done on unsigned types or through the helpers of prelude.h, indices and shift counts are masked,
loops are bounded, everything is initialised.

A check is data (Check), so that it can be made smaller: every variable is declared at the top with a value, so any
statement can be left out. Tested by generate_test.py.
"""

import copy
import dataclasses
import random

SIGNED = ["int8_t", "int16_t", "int32_t", "int64_t"]
UNSIGNED = ["uint8_t", "uint16_t", "uint32_t", "uint64_t"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["float", "double"]
WIDTH = {"int8_t": 8, "int16_t": 16, "int32_t": 32, "int64_t": 64,
         "uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64}
ARRAY_SIZE = 8  # elements of every array: a power of two, so that indices can be masked
TEXT_SIZE = 64  # bytes of every string


@dataclasses.dataclass
class Statement:
    """One statement: `head`, and if it has a body, that between braces, and `tail`. `bodies` are those of if and else."""
    head: str
    bodies: list = dataclasses.field(default_factory=list)
    tail: str = ""

    def lines(self, indent):
        pad = "  " * indent
        if not self.bodies:
            return [pad + self.head]
        result = [f"{pad}{self.head} {{"]
        for number, body in enumerate(self.bodies):
            if number:
                result.append(pad + "} else {")
            for statement in body:
                result += statement.lines(indent + 1)
        return result + [f"{pad}}}{self.tail}"]


@dataclasses.dataclass
class Check:
    number: int
    globals: list      # lines
    locals: list       # lines
    body: list         # statements
    results: list      # statements that add to the checksum

    def text(self):
        lines = list(self.globals)
        lines.append(f"static uint64_t check_{self.number}(void) {{")
        lines.append("  uint64_t sum = 14695981039346656037u;")
        lines += ["  " + line for line in self.locals]
        for statement in self.body + self.results:
            lines += statement.lines(1)
        return "\n".join(lines + ["  return sum;", "}", ""])


class Generator:
    def __init__(self, seed, number):
        self.random = random.Random(seed)
        self.number = number
        self.prefix = f"g{number}_"
        self.variables = {}   # name of an lvalue that can be assigned -> type
        self.readable = {}    # loop counters and parameters: only read
        self.arrays = {}      # name -> element type
        self.private = set()  # arrays that only this thread can reach: block operations may be wider than elements
        self.pointers = {}    # name -> (target type, array it points into)
        self.texts = []       # names of char arrays
        self.functions = []   # (name, result, parameter types)
        self.counter = 0
        self.globals = []
        self.locals = []
        self.labels = 0

    # -- choices

    def one_in(self, n):
        return self.random.randrange(n) == 0

    def pick(self, items):
        return self.random.choice(list(items))

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    # -- expressions: all of them have the type that is asked for

    def constant(self, kind):
        if kind in FLOATS:
            value = self.pick(["0.0", "1.0", "-1.5", "0.1", "3.25e10", "-7.0e-12", "123456.789", "1e300"
                               if kind == "double" else "1e30"])
            return value + ("f" if kind == "float" else "")
        bits = WIDTH[kind]
        span = 1 << bits
        value = self.pick([0, 1, 2, 3, 7, span - 1, span // 2, span // 2 - 1, self.random.randrange(span)])
        if kind in SIGNED and value >= span // 2:
            value -= span
        if kind in SIGNED:
            return f"(({kind})({value + 1}{'LL' if bits == 64 else ''} - 1))" if value < 0 else f"(({kind}){value}{'LL' if bits == 64 else ''})"
        return f"(({kind}){value}{'ULL' if bits == 64 else 'u'})"

    def atoms(self, kind):
        names = [name for name, own in {**self.variables, **self.readable}.items() if own == kind]
        for name, own in self.arrays.items():
            if own == kind:
                names.append(f"{name}[{self.simple_index()}]")
        for name, (own, _) in self.pointers.items():
            if own == kind:
                names.append(f"*{name}")
        return names

    def simple_index(self):
        names = [name for name, own in {**self.variables, **self.readable}.items() if own in INTEGERS]
        if names and not self.one_in(3):
            return f"(uint32_t){self.pick(names)} & {ARRAY_SIZE - 1}"
        return str(self.random.randrange(ARRAY_SIZE))

    def index(self, depth=1):
        return f"({self.expression('uint32_t', depth)}) & {ARRAY_SIZE - 1}"

    def expression(self, kind, depth):
        if depth <= 0 or self.one_in(6):
            atoms = self.atoms(kind)
            return self.pick(atoms) if atoms and not self.one_in(4) else self.constant(kind)
        return self.float_expression(kind, depth) if kind in FLOATS else self.integer_expression(kind, depth)

    def float_expression(self, kind, depth):
        form = self.random.randrange(8)
        a, b = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        suffix = "f" if kind == "float" else ""
        if form < 4:
            return f"(({a}) {self.pick('+-*/')} ({b}))"
        if form == 4:
            return f"({kind})({self.expression(self.pick(INTEGERS), depth - 1)})"
        if form == 5:
            other = "double" if kind == "float" else "float"
            return f"({kind})({self.expression(other, depth - 1)})"
        if form == 6:
            return f"{self.pick(['fabs', 'floor', 'ceil', 'trunc', 'sqrt', 'round'])}{suffix}({a})"
        return f"(({self.condition(depth - 1)}) ? ({a}) : ({b}))"

    def integer_expression(self, kind, depth):
        form = self.random.randrange(14)
        a, b = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        wide = "uint64_t" if WIDTH[kind] == 64 else "uint32_t"
        if form < 3:
            return f"({kind})(({wide})({a}) {self.pick('+-*')} ({wide})({b}))"
        if form == 3:
            return f"{self.pick(['div', 'rem'])}_{kind}({a}, {b})"
        if form == 4:
            count = f"(({self.expression(self.pick(UNSIGNED), depth - 1)}) & {WIDTH[kind] - 1})"
            if self.one_in(2):
                return f"({kind})(({wide})({a}) << {count})"
            return f"({kind})(({a}) >> {count})"
        if form == 5:
            return f"({kind})(({a}) {self.pick('&|^')} ({b}))"
        if form == 6:
            return f"({kind})({self.pick(['~', '!'])}({a}))"
        if form == 7:
            return f"({kind})(-({wide})({a}))"
        if form == 8:
            return f"({kind})({self.expression(self.pick(INTEGERS), depth - 1)})"
        if form == 9:
            return f"(({self.condition(depth - 1)}) ? ({a}) : ({b}))"
        if form == 10:
            return f"({kind})({self.condition(depth - 1)})"
        if form == 11 and self.functions:
            name, _, parameters = self.pick(self.functions)
            arguments = ", ".join(self.expression(own, depth - 2) for own in parameters)
            return f"({kind}){name}({arguments})"
        if form == 12:
            small = self.pick(["int8_t", "int16_t", "uint8_t"])  # promoted to int, which they cannot overflow
            x, y = self.expression(small, depth - 1), self.expression(small, depth - 1)
            return f"({kind})(({x}) {self.pick('+-*')} ({y}))"
        if form == 13:
            return f"({kind})to_{self.pick(['int32', 'int64', 'uint8'])}({self.expression('double', depth - 1)})"
        return a

    def condition(self, depth):
        kind = self.pick(INTEGERS + ["double"])
        a, b = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        form = self.random.randrange(6)
        if form == 0 and depth > 0:
            return f"({self.condition(depth - 1)}) {self.pick(['&&', '||'])} ({self.condition(depth - 1)})"
        if form == 1:
            return f"!(({a}) {self.pick(['<', '=='])} ({b}))"
        return f"({a}) {self.pick(['<', '<=', '>', '>=', '==', '!='])} ({b})"

    # -- declarations

    def declare(self):
        for _ in range(self.random.randrange(3, 7)):
            kind = self.pick(INTEGERS + INTEGERS + FLOATS)
            if self.one_in(3):
                name = self.prefix + self.fresh("v")
                self.globals.append(f"static {kind} {name} = {self.constant(kind)};" if kind in FLOATS
                                    else f"static {kind} {name} = {self.random.randrange(100)};")
                # A check may be called again: it starts from the same values.
                self.locals.append(f"{name} = {self.constant(kind)};")
            else:
                name = self.fresh("v")
                self.locals.append(f"{kind} {name} = {self.constant(kind)};")
            self.variables[name] = kind
        for _ in range(self.random.randrange(1, 3)):
            self.declare_array()
        if self.one_in(2):
            self.declare_struct()
        if self.one_in(3):
            self.declare_text()
        for _ in range(self.random.randrange(3)):
            self.declare_function()
        for name, kind in list(self.arrays.items()):
            if self.one_in(2):
                pointer = self.fresh("p")
                self.locals.append(f"{kind}* {pointer} = {name} + {self.random.randrange(ARRAY_SIZE)};")
                self.pointers[pointer] = (kind, name)

    def declare_array(self):
        kind = self.pick(INTEGERS + FLOATS)
        values = ", ".join(self.constant(kind) for _ in range(self.random.randrange(1, ARRAY_SIZE + 1)))
        form = self.random.randrange(3)
        name = self.fresh("a")
        if form == 0:
            name = self.prefix + name
            self.globals.append(f"static {kind} {name}[{ARRAY_SIZE}];")
            self.locals.append(f"for (int k = 0; k < {ARRAY_SIZE}; k++) {name}[k] = 0;")
        elif form == 1:
            self.locals.append(f"{kind} {name}[{ARRAY_SIZE}] = {{{values}}};")
            self.private.add(name)
        else:
            self.locals.append(f"{kind}* {name} = calloc({ARRAY_SIZE}, sizeof({kind}));")
            self.heap.append(name)
        self.arrays[name] = kind

    def declare_struct(self):
        struct = f"struct {self.prefix}{self.fresh('s')}"
        fields = [(f"f{i}", self.pick(INTEGERS + FLOATS)) for i in range(self.random.randrange(2, 6))]
        lines = [f"  {kind} {name};" for name, kind in fields]
        bits = [(f"b{i}", self.random.randrange(1, 20)) for i in range(self.random.randrange(3))]
        lines += [f"  uint32_t {name} : {size};" for name, size in bits]
        lines.append(f"  int32_t inner[{ARRAY_SIZE}];")
        packed = "__attribute__((packed)) " if self.one_in(5) else ""
        self.globals += [f"{struct[:7]}{packed}{struct[7:]} {{", *lines, "};"]
        function = self.prefix + self.fresh("t")
        first = fields[0]
        change = "1" if first[1] in FLOATS else f"({first[1]})1"
        self.globals.append(f"static {struct} {function}({struct} x) {{ x.{first[0]} = "
                            f"{'x.' + first[0] + ' * 2' if first[1] in FLOATS else '(' + first[1] + ')(x.' + first[0] + ' ^ ' + change + ')'}; "
                            f"x.inner[3] = 77; return x; }}")
        self.structs = []
        for _ in range(2):
            name = self.fresh("s")
            values = ", ".join(f".{field} = {self.constant(kind)}" for field, kind in fields)
            values += "".join(f", .{field} = {self.random.randrange(1 << size)}" for field, size in bits)
            self.locals.append(f"{struct} {name} = {{{values}}};")
            self.structs.append((name, function))
            for field, kind in fields:
                self.variables[f"{name}.{field}"] = kind
            for field, size in bits:
                self.bit_fields.append((f"{name}.{field}", size))
            if not packed:  # else what a pointer to it points to would not be aligned
                self.arrays[f"{name}.inner"] = "int32_t"
                self.private.add(f"{name}.inner")

    def declare_text(self):
        for _ in range(2):
            name = self.fresh("text")
            letters = "".join(self.pick("abcXYZ019 _") for _ in range(self.random.randrange(1, 12)))
            self.locals.append(f'char {name}[{TEXT_SIZE}] = "{letters}";')
            self.texts.append(name)

    def declare_function(self):
        name = self.prefix + self.fresh("f")
        result = self.pick(INTEGERS)
        parameters = [self.pick(INTEGERS + FLOATS) for _ in range(self.random.randrange(1, 4))]
        outer = self.variables, self.readable, self.arrays, self.pointers, self.functions
        self.variables, self.arrays, self.pointers = {}, {}, {}
        self.readable = {f"x{i}": kind for i, kind in enumerate(parameters)}
        text = ", ".join(f"{kind} x{i}" for i, kind in enumerate(parameters))
        lines = [f"static {result} {name}({text}) {{"]
        if self.one_in(3):
            lines.append(f"  if ({self.condition(1)}) return {self.expression(result, 2)};")
        if self.one_in(3) and parameters[0] in INTEGERS:  # recursion: the first parameter gets smaller
            arguments = ", ".join([f"({parameters[0]})(x0 / 2)"] + [self.expression(kind, 1) for kind in parameters[1:]])
            lines.append(f"  if (x0 > 3) return ({result})({name}({arguments}) ^ 5);")
        lines += [f"  return {self.expression(result, 3)};", "}"]
        self.variables, self.readable, self.arrays, self.pointers, self.functions = outer
        self.globals += lines
        self.functions.append((name, result, parameters))

    # -- statements

    def statements(self, count, depth, in_loop=False):
        return [self.statement(depth, in_loop) for _ in range(count)]

    def statement(self, depth, in_loop):
        form = self.random.randrange(20)
        if depth <= 0 and form < 7:
            form = 7 + form
        if form < 2:
            bodies = [self.statements(self.random.randrange(1, 4), depth - 1, in_loop)]
            if self.one_in(2):
                bodies.append(self.statements(self.random.randrange(1, 3), depth - 1, in_loop))
            return Statement(f"if ({self.condition(2)})", bodies)
        if form < 5:
            return self.loop(depth)
        if form == 5:
            return self.switch(depth, in_loop)
        if form == 6 and in_loop:
            return Statement(f"if ({self.condition(1)}) {self.pick(['break', 'continue'])};")
        if form == 7 and self.texts:
            return self.text_statement()
        if form == 8 and self.structs:
            (a, function), (b, _) = self.structs
            return Statement(self.pick([f"{a} = {b};", f"{b} = {function}({a});", f"memcpy(&{a}, &{b}, sizeof({a}));"]))
        if form == 9 and self.bit_fields:
            name, size = self.pick(self.bit_fields)
            return Statement(f"{name} = ({self.expression('uint32_t', 2)}) & {(1 << size) - 1}u;")
        if form == 10 and self.pointers:
            name, (_, array) = self.pick(self.pointers.items())
            return Statement(f"{name} = &{array}[{self.index(2)}];")
        if form == 11 and self.arrays:
            return self.array_statement()
        if form == 12:
            return self.special_statement()
        if form == 13 and self.variables:
            name, kind = self.pick(self.variables.items())
            if kind in UNSIGNED and WIDTH[kind] >= 32:
                return Statement(f"{name} {self.pick(['+=', '-=', '*=', '^=', '|=', '&='])} {self.expression(kind, 3)};")
            if kind in UNSIGNED:
                return Statement(f"{name}{self.pick(['++', '--'])};")
        targets = list(self.variables.items()) + [(f"{name}[{self.index()}]", kind) for name, kind in self.arrays.items()]
        targets += [(f"*{name}", kind) for name, (kind, _) in self.pointers.items()]
        name, kind = self.pick(targets)
        return Statement(f"{name} = {self.expression(kind, 4)};")

    def loop(self, depth):
        counter = self.fresh("i")
        count = self.random.randrange(1, 7)
        self.readable[counter] = "int32_t"
        body = self.statements(self.random.randrange(1, 4), depth - 1, True)
        del self.readable[counter]
        form = self.random.randrange(3)
        if form == 0:
            return Statement(f"for (int32_t {counter} = 0; {counter} < {count}; {counter}++)", [body])
        if form == 1:
            return Statement(f"for (int32_t {counter} = {count}; {counter}-- > 0 && ({self.condition(1)});)", [body])
        return Statement(f"for (int32_t {counter} = 0, once = 1; once; once = 0) do", [body],
                         f" while (++{counter} < {count});")

    def switch(self, depth, in_loop):
        values = self.random.sample(range(-3, 9), self.random.randrange(2, 6))
        body = []
        for value in values:
            body.append(Statement(f"case {value}:;"))
            body += self.statements(self.random.randrange(1, 3), depth - 1, False)
            if not self.one_in(3):
                body.append(Statement("break;"))
        if self.one_in(2):
            body.append(Statement("default:;"))
            body += self.statements(1, depth - 1, False)
        del in_loop  # a break in here belongs to the switch
        return Statement(f"switch (({self.expression('int32_t', 2)}) % 8)", [body])

    def text_statement(self):
        a, b = self.texts[0], self.texts[1]
        if self.one_in(2):
            a, b = b, a
        number = self.expression("int32_t", 2)
        return Statement(self.pick([
            f"sum = mix(sum, strlen({a}));",
            f"sum = mix(sum, (uint64_t)sign(strcmp({a}, {b})));",
            f"sum = mix(sum, (uint64_t)sign(strncmp({a}, {b}, ({number}) & 7)));",
            f"sum = mix(sum, (uint64_t)sign(memcmp({a}, {b}, {TEXT_SIZE})));",
            f"if (strlen({a}) + strlen({b}) < {TEXT_SIZE}) strcat({a}, {b});",
            f"strcpy({a}, {b});",
            f"memset({a}, 0, {TEXT_SIZE}); strncpy({a}, {b}, 5);",
            f"sum = mix(sum, strchr({a}, 'a') ? (uint64_t)(strchr({a}, 'a') - {a}) : 99);",
            f"sum = mix(sum, strrchr({a}, 'X') ? (uint64_t)(strrchr({a}, 'X') - {a}) : 99);",
            f"sum = mix(sum, strstr({a}, \"ab\") ? (uint64_t)(strstr({a}, \"ab\") - {a}) : 99);",
            f"memmove({a} + 1, {a}, 20); {a}[0] = 'q';",
            f"sum = mix(sum, (uint64_t)snprintf({a}, {TEXT_SIZE}, \"%d %5u|%-6x|%c %.3s\", (int)({number}), "
            f"(unsigned)({self.expression('uint16_t', 2)}), (unsigned)({self.expression('uint32_t', 2)}), 'k', {b}));",
            f"sum = mix(sum, (uint64_t)snprintf({a}, 9, \"%ld%%%lu\", (long)({self.expression('int64_t', 2)}), "
            f"(unsigned long)({self.expression('uint64_t', 1)})));",
            f"sum = mix(sum, (uint64_t)strtol({a}, 0, 10)); sum = mix(sum, strtoul({b}, 0, 16));",
        ]))

    def array_statement(self):
        name, kind = self.pick(self.arrays.items())
        same = [other for other, own in self.arrays.items() if own == kind]
        other = self.pick(same)
        source = f"({self.index()})"
        forms = [f"{name}[{self.index(2)}] = {other}[{self.index(2)}];",
                 f"for (int32_t k = 0; k < {ARRAY_SIZE}; k++) sum = mix(sum, bits_of({name}[k]));"]
        if name in self.private:
            forms += [f"memmove(&{name}[2], &{name}[({self.index()}) / 2], 4 * sizeof({name}[0]));",
                      f"memset(&{name}[4], 0, 3 * sizeof({name}[0]));"]
        if kind in INTEGERS:
            forms.append(f"sum = mix(sum, sum_of_{kind}({name}, {source} + 1));")
        if kind == "int32_t" and name in self.private:
            forms.append(f"qsort({name}, {ARRAY_SIZE}, sizeof(int32_t), by_value);")
        return Statement(self.pick(forms))

    def special_statement(self):
        form = self.random.randrange(6)
        if form == 0:  # reinterpretation
            return Statement(f"{{ union {{ uint32_t whole; uint8_t parts[4]; }} u = {{{self.expression('uint32_t', 3)}}}; "
                             f"u.parts[{self.random.randrange(4)}] ^= 0x5a; sum = mix(sum, u.whole); }}")
        if form == 1:
            return Statement(f"sum = mix(sum, (uint64_t)add_all(3, ({self.expression('int64_t', 2)}), "
                             f"(int64_t)({self.expression('int32_t', 2)}), (int64_t)({self.expression('uint8_t', 2)})));")
        if form == 2:
            return Statement(f"sum = mix(sum, apply(({self.expression('uint8_t', 2)}) & 3, {self.expression('uint32_t', 3)}, "
                             f"{self.expression('uint32_t', 3)}));")
        if form == 3:
            return Statement(f"{{ unsigned __int128 w = (unsigned __int128)({self.expression('uint64_t', 3)}) * "
                             f"({self.expression('uint64_t', 2)}) + ({self.expression('uint64_t', 1)}); "
                             f"w >>= ({self.expression('uint8_t', 1)}) & 127; "
                             f"sum = mix(mix(sum, (uint64_t)w), (uint64_t)(w >> 64)); }}")
        if form == 4:
            self.labels += 1
            label = f"skip{self.labels}"
            return Statement(f"{{ if ({self.condition(2)}) goto {label}; sum = mix(sum, {self.expression('uint64_t', 2)}); "
                             f"{label}:; }}")
        builtin = self.pick(["__builtin_popcount(x)", "__builtin_clz(x | 1)", "__builtin_ctz(x | 64)",
                             "__builtin_bswap32(x)", "__builtin_parity(x)", "x << 7 | x >> 25"])
        return Statement(f"{{ uint32_t x = {self.expression('uint32_t', 3)}; sum = mix(sum, (uint64_t)({builtin})); }}")

    def generate(self):
        self.heap, self.structs, self.bit_fields = [], [], []
        self.declare()
        body = self.statements(self.random.randrange(4, 11), 2)
        results = [Statement(f"sum = mix(sum, bits_of({name}));") for name in self.variables]
        results += [Statement(f"for (int32_t k = 0; k < {ARRAY_SIZE}; k++) sum = mix(sum, bits_of({name}[k]));")
                    for name in self.arrays]
        results += [Statement(f"sum = mix_text(sum, {name});") for name in self.texts]
        results += [Statement(f"free({name});") for name in self.heap]
        return Check(self.number, self.globals, self.locals, body, results)


def generate_check(seed, number):
    return Generator(seed, number).generate()


def smaller_variants(check):
    """Checks that lack something: first large parts, then single statements."""
    def places(body, path):
        for i, statement in enumerate(body):
            yield path + [i]
            for j, inner in enumerate(statement.bodies):
                yield from places(inner, path + [i, j])

    def changed(path, replacement):
        result = copy.deepcopy(check)
        body = result.body
        for i, j in zip(path[:-1:2], path[1::2]):
            body = body[i].bodies[j]
        body[path[-1]:path[-1] + 1] = replacement
        return result

    half = len(check.body) // 2
    if half:
        for part in (check.body[:half], check.body[half:]):
            result = copy.deepcopy(check)
            result.body = copy.deepcopy(part)
            yield result
    for path in list(places(check.body, [])):
        statement = check.body
        for step, i in enumerate(path):
            statement = statement[i] if step % 2 == 0 else statement.bodies[i]
        yield changed(path, [])
        if statement.head.startswith("if") and statement.bodies:
            for body in statement.bodies:
                yield changed(path, copy.deepcopy(body))
    for i, result in enumerate(check.results):
        if not result.head.startswith("free"):
            smaller = copy.deepcopy(check)
            del smaller.results[i]
            yield smaller


def file_text(checks, expected, wrong=None):
    """A program. With `expected` it asserts that each check gives its value (the check `wrong`: that it does not);
    without, it prints the values."""
    text = '#include "prelude.h"\n\n' + "\n".join(check.text() for check in checks)
    lines = []
    for check in checks:
        if expected is None:
            lines.append(f'  printf("%llu\\n", (unsigned long long)check_{check.number}());')
        else:
            operator = "!=" if check.number == wrong else "=="
            lines.append(f"  assert(check_{check.number}() {operator} {expected[check.number]}u);")
    return text + "\nint main(void) {\n" + "\n".join(lines) + "\n  return 0;\n}\n"

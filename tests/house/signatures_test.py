#!/usr/bin/env python3
"""No function has more than four parameters, but for those in signatures.txt and the functions of FMI (fmi2..., fmi3...), whose
signatures the standard gives.

signatures_test.py ROOT           1 where one has, where the table names what is not so, or a planted function is not found
signatures_test.py ROOT --list    all of them
"""
import pathlib
import re
import sys

MOST = 4
TOPS = ("runtime", "tools", "targets", "codegen")
LITERAL = re.compile(r'R"([^()\s\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
NAME = re.compile(r"([A-Za-z_~][\w:~]*|operator\s*\(\)|operator[^\s\w(]+|\])\s*\(")
NO_FUNCTION = {"if", "for", "while", "switch", "return", "sizeof", "alignof", "decltype", "catch", "static_assert", "requires",
               "noexcept", "defined", "alignas", "throw", "new", "delete", "co_return", "assert", "__attribute__"}
# A parameter begins with a type: words, then a name, a default, a declarator, or nothing where it is unnamed.
TYPE = r"(?:const |volatile |struct |unsigned |signed |long |short |typename )*(?:::)?[A-Za-z_][\w:]*(?:<.*>)?(?:::\w+)*(?: const)?"
PARAMETER = re.compile(rf"^(?:\[\[\w+\]\] ?)?{TYPE} ?(?:[*&]|const|\.\.\.| )*(?:\(\s*[*&]\s*\w*\s*\)\s*(?:\(.*\)|\[\w*\])|(?: ?\w+)?(?:\[\w*\])*)(?: ?(?:noexcept))?(?: ?= ?.*)?$", re.S)
AFTER_BODY = re.compile(r"\s*(?:const\b|noexcept\b(?:\s*\([^()]*\))?|override\b|final\b|mutable\b|&&?|->\s*[\w:<>,*&\s]+?|requires\b[^{;]*|\s)*(\{|;|:(?!:)|=\s*(?:0|default|delete)\s*;)")


def blanked(text):
    """Literals and comments as blanks, lines kept; lines of the preprocessor too."""
    text = LITERAL.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.M)


def parts(text):
    """Text between commas that stand in no bracket; '<' counts as one."""
    found, depth, begin = [], 0, 0
    for at, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[at - 1] != "-"):
            depth -= 1
        elif c == "," and depth == 0:
            found.append(text[begin:at])
            begin = at + 1
    return [" ".join(part.split()) for part in found + [text[begin:]]]


def closing(text, at):
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return end
    return -1


def is_declared(text, at, name, list_of, ends):
    """A call stands behind an operator, a dot or an opening bracket; a declaration behind its type, a constructor at the
    begin of a statement. What ends in ';' could still be a call or an object: of a declaration each parameter says its type."""
    before = text[max(0, at - 60):at].rstrip()
    if re.search(r"(?:[=.,(?!+\-/|%\[]|->|\breturn|\bthrow|\bcase|<<|&&|\|\||: )$", before) or before.endswith("return"):
        return False
    behind_type = bool(re.search(r"[\w>&*\]]$|::$", before)) and not re.search(r"\b(?:else|do|public:|private:)$", before)
    if not behind_type and not name.split("::")[-1].lstrip("~")[:1].isupper():
        return False
    return ends != ";" or all(" " in part or re.match(r"^(?:double|bool|int|char|float|std::\w+|\w+_t|[A-Z]\w*)\b", part) or part[-1:] in "&*" for part in list_of)


def functions(text):
    """-> (line, name, parameters) of each declaration, definition and lambda with more than MOST parameters"""
    text = blanked(text)
    for found in NAME.finditer(text):
        name, begin = found[1], found.end() - 1
        if name in NO_FUNCTION:
            continue
        end = closing(text, begin)
        if end < 0 or text.count(",", begin, end) < MOST:
            continue
        list_of = parts(text[begin + 1:end])
        if len(list_of) <= MOST or not all(PARAMETER.match(part) for part in list_of):
            continue
        after = AFTER_BODY.match(text, end + 1)
        if after and (name == "]" or is_declared(text, found.start(), name, list_of, after[1][-1])):
            yield text.count("\n", 0, found.start()) + 1, "lambda" if name == "]" else name, len(list_of)


def of_tree(root, tops):
    """-> {(file without its ending, name): [FILE:LINE: ...]}: a function counts once, however often it is declared"""
    found = {}
    for top in tops:
        for path in sorted((root / top).rglob("*.[ch]pp")):
            file = path.relative_to(root)
            for line, name, count in functions(path.read_text(errors="replace")):
                if re.match(r"fmi[23][A-Z]", name):
                    continue
                found.setdefault((file.with_suffix("").as_posix(), name.split("::")[-1]), []).append(f"{file.as_posix()}:{line}: {name} has {count} parameters")
    return found


def table(path):
    """-> exceptions {(file, name)}, rests {folder: number}; each line FILE NAME REASON, or FOLDER/ NUMBER REASON"""
    exceptions, rests = set(), {}
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            first, second, _ = line.split(None, 2)
            if first.endswith("/"):
                rests[first] = int(second)
            else:
                exceptions.add((first, second))
    return exceptions, rests


def findings(root, exceptions, rests):
    found, rest = [], dict.fromkeys(rests, 0)
    functions_of = of_tree(root, TOPS)
    for key, places in functions_of.items():
        folder = next((each for each in rests if key[0].startswith(each)), None)
        if folder and key not in exceptions:
            rest[folder] += 1
        elif key not in exceptions:
            found += places
    for folder, count in rest.items():
        if count > rests[folder]:
            found.append(f"{folder}: {count} functions with more than {MOST} parameters, {rests[folder]} are known (--list shows them)")
        elif count < rests[folder]:
            found.append(f"{folder}: {count} are left: write that into tests/house/signatures.txt")
    return found + [f"{file} {name}: in tests/house/signatures.txt, but there is none" for file, name in sorted(exceptions - set(functions_of))]


def fires():
    """Functions, constructors, lambdas and templates are found; calls, types of functions and what stands in comments are not."""
    planted = """
int five(int a, const std::map<int, int>& b = {}, double (*c)(int, int) = nullptr, char d = ',', std::string_view e = "a, b");
Thing::Thing(int a, int b, int c, int d, int e) : a_(a) {}
template <class T, int n, int m, int k, int l>
inline auto member(T& a, T&& b, std::span<const T> c, T (&d)[3], T) const noexcept -> T {
auto six = [&](auto a, auto b, auto c, auto d, auto e, auto f) { return a; };
int four(int a, int b, int c, std::function<void(int, int)> d);  // five(int a, int b, int c, int d, int e);
int x = call(a, b, c, d, e);
  call(one, two * 3, three(1, 2), "four", five);
  return call(a, b, c, d, e);
"""
    return [name for _, name, _ in functions(planted)] == ["five", "Thing::Thing", "member", "lambda"]


def main():
    root = pathlib.Path(sys.argv[1])
    if "--list" in sys.argv:
        print("\n".join(place for places in of_tree(root, TOPS).values() for place in places))
        return 0
    exceptions, rests = table(root / "tests/house/signatures.txt")
    found = findings(root, exceptions, rests)
    if not fires():
        found.append("a planted function was not found, or what is none was")
    print("\n".join(found) or f"{len(exceptions)} exceptions, rest {rests}")
    return 1 if found else 0


sys.exit(main())

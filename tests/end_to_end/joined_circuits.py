"""Circuits for tests of joins: two storages at one node, one of them in a part that can be exported, 10 sin(3 t) on the other."""

# The part: a storage at the shared node `p`, and what makes it a circuit: friction that is not linear and a storage behind a
# compliant branch; a diode as an event.
DOMAINS = {
    "translational": {
        "words": ("v", "f"), "units": {},
        "part": """body     = { is = "mass", at = ["p"], m = "3 kg" }
rub      = { is = "friction", at = ["p", "frame"], f_c = "2 N", d = "0.3 N*s/m", v_reg = "0.5 m/s" }
link     = { is = "spring_damper", at = ["p", "far"], c = "200 N/m", d = "2 N*s/m" }
tail     = { is = "mass", at = ["far"], m = "1 kg" }
""",
        "rest": """push  = { is = "force_source", at = ["mid"], force = "10 N*sin(3 rad/s*time)" }
drag  = { is = "damper", at = ["mid", "frame"], d = "0.2 N*s/m" }
first = { is = "mass", at = ["mid"], m = "2 kg" }
""",
        "drive": "10 N*sin(3 rad/s*time)"},
    "electric": {
        "words": ("v", "i"), "units": {"N": "A", "m/s": "V", "kg": "F"},
        "part": """body  = { is = "capacitor", at = ["p", "gnd"], c = "3 F" }
link  = { is = "resistor", at = ["p", "coil"], r = "0.5 Ohm" }
choke = { is = "inductor", at = ["coil", "far"], l = "20 mH" }
tail  = { is = "capacitor", at = ["far", "gnd"], c = "1 F" }
""",
        "rest": """push  = { is = "current_source", at = ["gnd", "mid"], i = "10 A*sin(3 rad/s*time)" }
drag  = { is = "resistor", at = ["mid", "gnd"], r = "5 Ohm" }
first = { is = "capacitor", at = ["mid", "gnd"], c = "2 F" }
""",
        "drive": "10 A*sin(3 rad/s*time)"},
}


def whole_plant(work, domain):
    """work/whole_DOMAIN/plant.toml; the part is `half`, the node that it shares `mid`. -> its folder"""
    of = DOMAINS[domain]
    folder = work / f"whole_{domain}"
    folder.mkdir()
    (folder / "plant.toml").write_text(f"""[plant]
duration = "2 s"
error    = "off"
[part.half]
terminal = ["p:{domain}"]
[part.half.{domain}]
{of["part"]}
[parts]
half = {{ of = "half", at = ["mid"] }}
[{domain}]
{of["rest"]}
[solve]
{domain} = {{ step = "1 ms", method = "rk4" }}
[record]
"10 ms" = ["{domain}.half.body.*", "{domain}.half.tail.*"]
""")
    return folder


def in_the_units_of(domain):
    """What storage.xml says, in other units: the equations are alike in all domains."""
    def change(text):
        for old, new in DOMAINS[domain]["units"].items():
            base = {"A": '<BaseUnit A="1"/>', "V": '<BaseUnit kg="1" m="2" s="-3" A="-1"/>', "F": '<BaseUnit kg="-1" m="-2" s="4" A="2"/>'}[new]
            begin = text.index(f'<Unit name="{old}">')
            text = text[:begin] + f'<Unit name="{new}">{base}</Unit>' + text[text.index("</Unit>", begin) + len("</Unit>"):]
            text = text.replace(f'unit="{old}"', f'unit="{new}"')
        return text
    return change

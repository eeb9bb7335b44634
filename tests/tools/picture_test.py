#!/usr/bin/env python3
"""picture_test.py TAKT SOURCE_DIR   the network of a plant as a picture: what is drawn, that nothing overlaps, what a small change moves."""

import collections
import html
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TAKT = sys.argv[1]
SOURCE = pathlib.Path(sys.argv[2])
PLANTS = SOURCE / "config/plants"
SCREEN = (1440.0, 860.0)  # a window of 1440 by 900 under a bar of buttons
SVG = "{http://www.w3.org/2000/svg}"


def takt(*arguments):
    return subprocess.run([TAKT, *map(str, arguments)], capture_output=True, text=True, timeout=600)


class Picture:
    """What picture_page() has written: diagrams with boxes, rectangles and wires, from the corner of their frame."""

    def __init__(self, plant, folder):
        file = folder / "plant.html"
        done = takt("check", plant, "--graph", file)
        assert done.returncode == 0, done.stderr
        self.page = file.read_text()
        self.diagrams = json.loads(re.search(r'(?s)<script type="application/json" id="network">(.*?)</script>', self.page)[1])["diagrams"]
        self.outer = [one for one in self.diagrams if "within" not in one]

    def placed(self, diagrams):
        """-> {(diagram, path): rectangle in the picture}; of a guest the path says it"""
        def name(box):  # parts in several circuits have one path
            return box["path"] + (":" + self.diagrams[box["inside"]]["boxes"][0]["path"] if "inside" in box else "")
        return {(d["name"], box["look"] == "guest", name(box)): (d["place"][0] + r[0], d["place"][1] + r[1], r[2], r[3])
                for d in diagrams for box, r in zip(d["boxes"], d["rects"])}


def overlap(one, other, gap=1.0):
    return one[0] < other[0] + other[2] + gap and other[0] < one[0] + one[2] + gap and one[1] < other[1] + other[3] + gap and other[1] < one[1] + one[3] + gap


def overlaps(rectangles):
    return [(one, other) for one, other in itertools.combinations(rectangles, 2) if overlap(one, other)]


def crossed(diagram):
    """Boxes that a wire runs over, other than at its end."""
    found = []
    for wire in diagram["wires"]:
        for line in wire["lines"]:
            x, y = sorted((line[0], line[2])), sorted((line[1], line[3]))
            found += [(line, box) for box in diagram["rects"] if x[0] < box[0] + box[2] - 0.2 and x[1] > box[0] + 0.2 and y[0] < box[1] + box[3] - 0.2 and y[1] > box[1] + 0.2]
    return found


def laid_on_each_other(diagram):
    """Pieces of wires of different nets on one line."""
    found = []
    pieces = [(net, line) for net, wire in enumerate(diagram["wires"]) for line in wire["lines"]]
    for (net, a), (other, b) in itertools.combinations(pieces, 2):
        if net == other:
            continue
        for along, across in ((0, 1), (1, 0)):
            flat = abs(a[across] - a[across + 2]) < 0.1 and abs(b[across] - b[across + 2]) < 0.1 and abs(a[across] - b[across]) < 0.5
            span = min(max(a[along], a[along + 2]), max(b[along], b[along + 2])) - max(min(a[along], a[along + 2]), min(b[along], b[along + 2]))
            if flat and span > 0.5:
                found.append((a, b))
    return found


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def picture(self, plant):
        return Picture(plant, self.folder)

    def text_plant(self, text):
        file = self.folder / "plant.toml"
        file.write_text('[plant]\ntitle = "test"\n' + text)
        return self.picture(file)


class OneScreen(Folder):
    def test_boxes_frames_and_wires_keep_apart(self):
        for name in ("bev", "inverter", "hybrid", "ev", "buck"):
            with self.subTest(plant=name):
                picture = self.picture(PLANTS / name)
                self.assertEqual(overlaps(picture.placed(picture.outer).values()), [])
                self.assertEqual(overlaps([one["place"] for one in picture.outer]), [])
                for diagram in picture.diagrams:  # insides, too
                    self.assertEqual(overlaps(diagram["rects"]), [])
                    width, height = diagram["place"][2:]
                    self.assertTrue(all(r[0] >= 0 and r[1] >= 0 and r[0] + r[2] <= width and r[1] + r[3] <= height for r in diagram["rects"]))
                    self.assertEqual(crossed(diagram), [], diagram["name"])
                    self.assertEqual(laid_on_each_other(diagram), [], diagram["name"])

    def test_names_can_be_read_on_a_screen(self):
        for name, least in (("bev", 5.5), ("inverter", 9.5), ("hybrid", 9.5)):
            with self.subTest(plant=name):
                outer = self.picture(PLANTS / name).outer
                size = [max(one["place"][axis] + one["place"][axis + 2] for one in outer) for axis in (0, 1)]
                scale = min(1.0, SCREEN[0] / size[0], SCREEN[1] / size[1])
                print(f"{name}: {size[0]:.0f} x {size[1]:.0f}, names {9.5 * scale:.1f} pixels on a screen, "
                      f"{sum(len(one['boxes']) for one in outer)} boxes")
                self.assertGreaterEqual(9.5 * scale, least)


class Content(Folder):
    def test_every_element_and_block_has_one_box_at_the_line_of_the_plant_file(self):
        for name in ("bev", "inverter", "hybrid", "ev"):
            with self.subTest(plant=name):
                drawn = collections.Counter(box["path"] for diagram in self.picture(PLANTS / name).diagrams for box in diagram["boxes"]
                                            if box["look"] in ("element", "block"))
                report = json.loads(takt("check", PLANTS / name, "--json").stdout)
                named = [path for circuit in report["circuits"] for path in circuit["elements"]]
                self.assertEqual({path: drawn[path] for path in named}, dict.fromkeys(named, 1))
        lines = (PLANTS / "bev/plant.toml").read_text().splitlines()
        boxes = [box for diagram in self.picture(PLANTS / "bev").diagrams for box in diagram["boxes"] if box["look"] in ("element", "block")]
        for box in boxes:
            self.assertIn(box["path"].rsplit(".", 1)[1], lines[int(box["at"].split()[-1]) - 1])
            self.assertTrue(box["line"].startswith(lines[int(box["at"].split()[-1]) - 1][:590]))

    def test_nets_join_the_terminals_of_the_plant_file(self):
        picture = self.text_plant('[electric]\ns = { is = "voltage_source", at = ["a", "gnd"], v = "1 V" }\nr = { is = "resistor", at = ["a", "b"], r = "20 mOhm" }\n'
                                  'c = { is = "capacitor", at = ["b", "gnd"], c = "1 uF" }\nl = { is = "resistor", at = ["b", "gnd"], r = "1 kOhm" }\n')
        [diagram] = picture.diagrams
        nets = {net["path"]: sorted(diagram["boxes"][box]["path"] for box in net["boxes"]) for net in diagram["nets"]}
        self.assertEqual(nets, {"electric.a": ["electric.r", "electric.s"], "electric.b": ["electric.c", "electric.l", "electric.r"]})
        self.assertEqual({box["path"]: box["value"] for box in diagram["boxes"]},
                         {"electric.s": "1 V", "electric.r": "20 m\u03a9", "electric.c": "1 \u00b5F", "electric.l": "1 k\u03a9"})
        for net, wire in zip(diagram["nets"], diagram["wires"]):  # a wire ends at each box of its net
            self.assertEqual(sorted(line[4] for line in wire["lines"] if len(line) > 4), sorted(net["boxes"]))

    def test_what_belongs_together_in_two_circuits_names_each_other(self):
        boxes = {(box["look"], box["path"]): box for diagram in self.picture(PLANTS / "bev").diagrams for box in diagram["boxes"]}
        self.assertIn("fluid.under_chips", boxes["element", "solid.sink_jacket"]["ties"])
        self.assertIn("rotational.rotor", boxes["element", "electric.motor"]["ties"])
        self.assertIn("electric.motor", boxes["guest", "electric.motor"]["ties"])
        self.assertIn("electric.fuse", boxes["element", "solid.box"]["ties"])
        self.assertIn("fluid.to_radiator", boxes["block", "control.thermostat"]["ties"])

    def test_a_part_is_a_box_whose_inside_has_ports(self):
        picture = self.picture(PLANTS / "bev")
        electric = next(one for one in picture.outer if one["name"] == "electric")
        part = next(box for box in electric["boxes"] if box["path"] == "electric.pack[0]")
        inside = picture.diagrams[part["inside"]]
        self.assertEqual(picture.diagrams[inside["within"]]["name"], "electric")
        self.assertEqual({box["path"]: box["look"] for box in inside["boxes"]},
                         {"electric.pack[0].cells": "element", "electric.pack[0].busbar": "element", "electric.string[0]": "port", "electric.string[1]": "port"})

    def test_svg_stands_alone_and_shows_what_parts_hold_once(self):
        file = self.folder / "bev.svg"
        self.assertEqual(takt("check", PLANTS / "bev", "--graph", file).returncode, 0)
        root = xml.etree.ElementTree.parse(file).getroot()
        heads = [text.text for text in root.iter(SVG + "text") if text.get("class") == "head"]
        self.assertIn("in electric.pack[0], electric.pack[1], electric.pack[2], electric.pack[3]"[:40], {head[:40] for head in heads})
        self.assertFalse([head for head in heads if head.startswith("in electric.pack[1]")])
        known = {"#" + group.get("id") for group in root.iter(SVG + "g") if group.get("id")}
        self.assertLessEqual({use.get("href") for use in root.iter(SVG + "use")}, known)
        self.assertNotIn("http", re.sub(r'xmlns="[^"]*"', "", file.read_text()))

    def test_text_of_users_stays_text(self):
        evil = '</script><script>alert(1)</script><b onload=\\"x\\">'
        page = self.folder / "plant.html"
        (self.folder / "plant.toml").write_text(f'[plant]\ntitle = "{evil}"\n[electric]\n# {evil}\nr = {{ is = "resistor", at = ["a", "gnd"], r = "1 Ohm" }} # {evil}\n')
        self.assertEqual(takt("check", self.folder / "plant.toml", "--graph", page).returncode, 0)
        self.assertEqual(page.read_text().count("<script"), 2)  # data and program
        self.assertNotIn("<b ", page.read_text())
        self.assertIn(html.escape("</script><script>alert(1)"), page.read_text().replace("&#39;", "'"))


class Stable(Folder):
    ADDED = (("[electric]", 'added = { is = "resistor", at = ["low", "gnd"], r = "10 Ohm" }'),
             ("[electric]", 'added = { is = "resistor", at = ["link", "gnd"], r = "1 MOhm" }'),
             ("[solid]", 'added = { is = "heat_transfer", at = ["tray", "gas.floor_1"], c = "1 W/K" }'),
             ("[solid]", 'added = { is = "heat_transfer", at = ["axle", "gas.hood"], c = "1 W/K" }'),
             ("[fluid]", 'added = { is = "pipe", at = ["branch", "joint"], length = "2 m", diameter = "8 mm", k = 2 }'),
             ("[rotational]", 'added = { is = "damper", at = ["rotor", "frame"], d = "1e-4 N*m*s/rad" }'),
             ("[control]", 'added = { is = "expression", of = "2*heat_demand" }'))

    def test_an_element_more_moves_at_most_a_tenth_of_the_boxes(self):
        text = (PLANTS / "bev/plant.toml").read_text().replace("../ev/", "")
        shutil.copy(PLANTS / "ev/wltc_3b.csv", self.folder)
        before = self.changed(text)
        for section, line in self.ADDED:
            with self.subTest(added=line):
                head = re.search(r"(?m)^" + re.escape(section) + r"\n(?:medium .*\n|every .*\n)?", text)
                after = self.changed(text[:head.end()] + line + "\n" + text[head.end():])
                self.assertEqual(len(after), len(before) + 1)
                moved = [path for path in before if max(abs(a - b) for a, b in zip(before[path], after[path])) > 0.5]
                print(f"{section} {line.split(chr(34))[1]}: {len(moved)} of {len(before)} boxes move")
                self.assertLessEqual(len(moved), 0.1 * len(before))

    def changed(self, text):
        """A circuit's name may be that of its first element, which is another one then: boxes are told by their paths."""
        (self.folder / "plant.toml").write_text(text)
        picture = self.picture(self.folder / "plant.toml")
        return {key[1:]: place for key, place in picture.placed(picture.outer).items()}

    def test_same_plant_same_bytes(self):
        self.assertEqual(self.picture(PLANTS / "inverter").page, self.picture(PLANTS / "inverter").page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)

"""The drawn figures of the sample books, as vector drawings by name.

In: nothing. Out: `FIGURES[name]()` = a reportlab `Drawing`; lengths in points, origin at the lower left.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, radians, sin
from typing import Literal

from reportlab.graphics.shapes import Circle, Drawing, Line, Polygon, PolyLine, Rect, String
from reportlab.lib.colors import Color, HexColor, black

BLUE, RED, GREEN, GREY = HexColor("#1f4e79"), HexColor("#b03a2e"), HexColor("#2e7d4f"), HexColor("#888888")
PALE = HexColor("#cfe0f1")
Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


def _canvas(width: float, height: float) -> Drawing:
    drawing = Drawing(width, height)
    drawing.hAlign = "CENTER"
    return drawing


def _line(to: Drawing, start: Point, end: Point, colour: Color = black, width: float = 1.0) -> None:
    to.add(Line(*start, *end, strokeColor=colour, strokeWidth=width))


def _dashed(to: Drawing, start: Point, end: Point, colour: Color = GREY) -> None:
    to.add(Line(*start, *end, strokeColor=colour, strokeWidth=0.7, strokeDashArray=[3, 2]))


def _arrow(to: Drawing, start: Point, end: Point, colour: Color = black, width: float = 1.4) -> None:
    """A straight line with a head at its end."""
    _line(to, start, end, colour, width)
    x, y = end[0] - start[0], end[1] - start[1]
    long = (x * x + y * y) ** 0.5
    ux, uy = x / long, y / long
    base = (end[0] - 7 * ux, end[1] - 7 * uy)
    head = [*end, base[0] - 3 * uy, base[1] + 3 * ux, base[0] + 3 * uy, base[1] - 3 * ux]
    to.add(Polygon(head, fillColor=colour, strokeColor=None))


def _rectangle(to: Drawing, box: tuple[float, float, float, float], fill: Color, stroke: Color | None) -> None:
    """A filled rectangle; `box` = left, bottom, width, height."""
    rectangle = Rect(*box)
    rectangle.fillColor, rectangle.strokeColor = fill, stroke
    to.add(rectangle)


def _label(to: Drawing, at: Point, text: str, face: str = "Sans", anchor: Anchor = "middle") -> None:
    to.add(String(*at, text, fontName=face, fontSize=9, textAnchor=anchor))


def _polyline(to: Drawing, points: list[Point], colour: Color = BLUE, width: float = 1.8) -> None:
    flat = [value for point in points for value in point]
    to.add(PolyLine(flat, strokeColor=colour, strokeWidth=width))


def _axes(to: Drawing, size: Point, names: tuple[str, str], face: str = "Sans") -> None:
    """Two axes from (40, 28) with their names."""
    _arrow(to, (40, 28), (size[0] - 6, 28), black, 1)
    _arrow(to, (40, 28), (40, size[1] - 12), black, 1)
    _label(to, (size[0] - 6, 4), names[0], face, "end")
    _label(to, (46, size[1] - 9), names[1], face, "start")


def _ticks(to: Drawing, across: dict[float, str], up: dict[float, str]) -> None:
    """Marks with their numbers; keys are distances in points from the origin of `_axes`."""
    for x, text in across.items():
        _line(to, (40 + x, 28), (40 + x, 25), black, 0.7)
        _label(to, (40 + x, 15), text)
    for y, text in up.items():
        _line(to, (40, 28 + y), (37, 28 + y), black, 0.7)
        _label(to, (34, 25 + y), text, anchor="end")


def _graph(names: tuple[str, str], across: dict[float, str], up: dict[float, str], face: str = "Sans") -> Drawing:
    to = _canvas(260, 165)
    _axes(to, (260, 165), names, face)
    _ticks(to, across, up)
    return to


def path() -> Drawing:
    """A path along two sides of a right triangle and the displacement along the third."""
    to = _canvas(250, 150)
    home, post, library = (30.0, 25.0), (190.0, 25.0), (190.0, 130.0)
    _line(to, home, post, GREY, 2)
    _line(to, post, library, GREY, 2)
    _arrow(to, home, library, RED, 1.8)
    for point, name, dx in ((home, "home", 0), (post, "post office", 14), (library, "library", 32)):
        to.add(Circle(*point, 3, fillColor=BLUE, strokeColor=None))
        _label(to, (point[0] + dx, point[1] - (14 if point[1] < 50 else 3)), name)
    _label(to, (110, 30), "400 m")
    _label(to, (214, 72), "300 m")
    _label(to, (86, 84), "500 m")
    return to


def position_graph() -> Drawing:
    """Position against time: 120 m in 20 s, rest for 10 s, 60 m in 20 s."""
    to = _graph(("time in s", "position in m"), {76: "20", 114: "30", 190: "50"}, {70: "120", 105: "180"})
    for x, y in ((76, 70), (114, 70), (190, 105)):
        _dashed(to, (40 + x, 28), (40 + x, 28 + y))
        _dashed(to, (40, 28 + y), (40 + x, 28 + y))
    _polyline(to, [(40, 28), (116, 98), (154, 98), (230, 133)])
    return to


def block_forces() -> Drawing:
    """A crate with a large force to the right and a smaller one to the left."""
    to = _canvas(280, 90)
    _line(to, (10, 20), (270, 20), GREY, 1.5)
    _rectangle(to, (105, 21, 60, 42), PALE, BLUE)
    _arrow(to, (165, 45), (245, 45), RED, 2)
    _arrow(to, (105, 30), (57, 30), GREEN, 2)
    _label(to, (205, 52), "pull 50 N")
    _label(to, (68, 37), "friction 30 N")
    return to


def _spring(to: Drawing, x: float, top: float, length: float) -> None:
    turns = 9
    points = [(x, top)]
    for n in range(1, 2 * turns):
        points.append((x + (7 if n % 2 else -7), top - length * n / (2 * turns)))
    _polyline(to, [*points, (x, top - length)], black, 1)


def spring_scale() -> Drawing:
    """Two springs, one with one mass, the other with two and stretched twice as far."""
    to = _canvas(230, 150)
    _line(to, (30, 140), (200, 140), black, 2.5)
    for x, length, count in ((70.0, 55.0, 1), (160.0, 80.0, 2)):
        _spring(to, x, 140, length)
        for n in range(count):
            _rectangle(to, (x - 12, 140 - length - 18 * (n + 1), 24, 16), PALE, BLUE)
    _label(to, (103, 66), "100 g")
    _label(to, (193, 32), "200 g")
    _dashed(to, (40, 110), (215, 110))
    _label(to, (115, 114), "no load")
    return to


def _sine(start: Point, length: float, height: float, waves: float) -> list[Point]:
    steps = 120
    return [
        (start[0] + length * n / steps, start[1] + height * sin(2 * pi * waves * n / steps)) for n in range(steps + 1)
    ]


def wave_kinds() -> Drawing:
    """A sine line above, a row of crowded and spread coils below."""
    to = _canvas(300, 150)
    _polyline(to, _sine((20, 110), 260, 22, 3))
    _dashed(to, (20, 110), (280, 110))
    _label(to, (42, 139), "crest")
    _label(to, (85, 78), "trough")
    for n in range(66):
        x = 4.0 * n
        x += 9 * sin(2 * pi * x / 88)
        _line(to, (20 + x, 28), (20 + x, 52), BLUE, 0.9)
    _label(to, (64, 57), "compression")
    _label(to, (196, 57), "rarefaction")
    _arrow(to, (110, 12), (190, 12), RED)
    return to


def wave_parts() -> Drawing:
    """A sine line with its wavelength and amplitude."""
    to = _canvas(300, 125)
    _polyline(to, _sine((20, 55), 260, 32, 2))
    _dashed(to, (20, 55), (285, 55))
    _dashed(to, (52.5, 55), (52.5, 105))
    _dashed(to, (182.5, 55), (182.5, 105))
    _arrow(to, (117, 102), (182, 102), RED)
    _arrow(to, (117, 102), (53, 102), RED)
    _label(to, (117, 107), "λ")
    _arrow(to, (182.5, 56), (182.5, 86), GREEN)
    _label(to, (191, 66), "A", "Serif-Italic")
    return to


def reflection(face: str = "Sans", words: tuple[str, str] = ("normal", "mirror")) -> Drawing:
    """Two rays at equal angles to the normal of a mirror."""
    to = _canvas(240, 140)
    foot = (120.0, 22.0)
    _line(to, (30, 20), (210, 20), black, 2.5)
    for n in range(18):
        _line(to, (30 + 10 * n, 20), (25 + 10 * n, 13), GREY, 0.7)
    _dashed(to, foot, (120, 130))
    x, y = 105 * sin(radians(45)), 105 * cos(radians(45))
    _arrow(to, (120 - x, 22 + y), (120 - x / 2, 22 + y / 2), RED)
    _line(to, (120 - x / 2, 22 + y / 2), foot, RED, 1.4)
    _line(to, foot, (120 + x / 2, 22 + y / 2), RED, 1.4)
    _arrow(to, (120 + x / 2, 22 + y / 2), (120 + x, 22 + y), RED)
    _label(to, (108, 60), "i", "Serif-Italic")
    _label(to, (132, 60), "r", "Serif-Italic")
    _label(to, (125, 124), words[0], face, "start")
    _label(to, (192, 27), words[1], face)
    return to


def convex_lens() -> Drawing:
    """Three parallel rays that meet in the focal point."""
    to = _canvas(300, 120)
    to.add(Polygon(_lens(110, 60, 50, 11), fillColor=PALE, strokeColor=BLUE))
    _dashed(to, (10, 60), (290, 60))
    for y in (-30.0, 0.0, 30.0):
        _arrow(to, (10, 60 + y), (65, 60 + y), RED, 1.1)
        _line(to, (65, 60 + y), (110, 60 + y), RED, 1.1)
        _line(to, (110, 60 + y), (210, 60), RED, 1.1)
        _arrow(to, (210, 60), (275, 60 - y * 0.65), RED, 1.1)
    to.add(Circle(210, 60, 2.5, fillColor=black))
    _label(to, (212, 68), "F", "Serif-Italic", "start")
    _arrow(to, (160, 12), (209, 12), black, 0.8)
    _arrow(to, (160, 12), (111, 12), black, 0.8)
    _label(to, (160, 16), "f", "Serif-Italic")
    return to


def _lens(x: float, y: float, high: float, wide: float) -> list[float]:
    """Corners of a lens shape, as flat coordinates."""
    steps = [n / 20 for n in range(-20, 21)]
    right = [(x + wide * (1 - t * t), y + high * t) for t in steps]
    left = [(x - wide * (1 - t * t), y + high * t) for t in reversed(steps)]
    return [value for point in right + left for value in point]


def velocity_graph() -> Drawing:
    """Velocity against time: 12 m/s after 8 s, constant until 20 s, rest at 24 s."""
    to = _graph(("time in s", "velocity in m/s"), {64: "8", 160: "20", 192: "24"}, {90: "12"})
    _dashed(to, (40, 118), (104, 118))
    for x in (104, 200):
        _dashed(to, (x, 28), (x, 118))
    _polyline(to, [(40, 28), (104, 118), (200, 118), (232, 28)])
    return to


def force_pair() -> Drawing:
    """Two skaters with equal and opposite forces."""
    to = _canvas(280, 110)
    _line(to, (10, 12), (270, 12), GREY, 1.5)
    for x, name in ((115.0, "A"), (165.0, "B")):
        to.add(Circle(x, 82, 9, fillColor=PALE, strokeColor=BLUE))
        _line(to, (x, 73), (x, 38), BLUE, 2)
        _line(to, (x, 38), (x - 9, 13), BLUE, 2)
        _line(to, (x, 38), (x + 9, 13), BLUE, 2)
        _line(to, (x, 62), (140, 62), BLUE, 2)
        _label(to, (x, 79), name)
    _arrow(to, (105, 52), (35, 52), RED, 2)
    _arrow(to, (175, 52), (245, 52), RED, 2)
    _label(to, (64, 58), "force on A")
    _label(to, (216, 58), "force on B")
    return to


def pendulum() -> Drawing:
    """A pendulum at its turning points and at its lowest point."""
    to = _canvas(260, 140)
    top = (130.0, 132.0)
    _line(to, (100, 132), (160, 132), black, 2.5)
    _dashed(to, (20, 22), (240, 22))
    for degrees in (-48, 0, 48):
        x, y = 130 + 105 * sin(radians(degrees)), 132 - 105 * cos(radians(degrees))
        _line(to, top, (x, y), black if degrees == 0 else GREY, 1)
        to.add(Circle(x, y, 8, fillColor=PALE, strokeColor=BLUE))
    _arrow(to, (140, 27), (180, 27), RED)
    _label(to, (33, 78), "potential")
    _label(to, (228, 78), "potential")
    _label(to, (130, 6), "kinetic")
    return to


def heating_curve() -> Drawing:
    """Temperature against heat supplied for ice, water and steam, with two level parts."""
    to = _graph(("heat supplied", "temperature in °C"), {}, {20: "0", 90: "100"})
    _polyline(to, [(40, 36), (58, 48), (100, 48), (142, 118), (212, 118), (228, 132)])
    _label(to, (84, 36), "melting")
    _label(to, (176, 106), "boiling")
    _dashed(to, (40, 118), (142, 118))
    return to


def circuit() -> Drawing:
    """Battery, ammeter, resistor and a voltmeter across it."""
    to = _canvas(240, 150)
    left, right, low, high = 40.0, 200.0, 45.0, 125.0
    _line(to, (left, low), (left, 80))
    _line(to, (left, 90), (left, high))
    _line(to, (left - 13, 90), (left + 13, 90), black, 1.2)
    _line(to, (left - 7, 80), (left + 7, 80), black, 3)
    _label(to, (left + 19, 93), "+")
    _line(to, (left, high), (right, high))
    _line(to, (right, high), (right, low))
    _line(to, (right, low), (left, low))
    to.add(Circle(120, high, 12, fillColor=PALE, strokeColor=black))
    _label(to, (120, high - 3), "A")
    _rectangle(to, (92, low - 7, 56, 14), PALE, black)
    _label(to, (120, low - 3), "R", "Serif-Italic")
    _polyline(to, [(80, low), (80, 15), (160, 15), (160, low)], black, 1)
    to.add(Circle(120, 15, 12, fillColor=PALE, strokeColor=black))
    _label(to, (120, 12), "V")
    return to


def current_graph() -> Drawing:
    """Current against voltage: a straight line and a line that grows flatter."""
    to = _graph(("voltage in V", "current in mA"), {80: "4", 200: "10"}, {40: "40", 100: "100"})
    _polyline(to, [(40, 28), (240, 128)])
    lamp = [(40 + 200 * n / 20, 28 + 118 * (n / 20) ** 0.55) for n in range(21)]
    _polyline(to, lamp, RED)
    _label(to, (205, 95), "resistor")
    _label(to, (135, 125), "lamp")
    return to


def graph_zh() -> Drawing:
    """Distance against time for a fast and a slow body, with Chinese labels."""
    to = _graph(("时间 t/s", "路程 s/m"), {80: "2", 160: "4"}, {40: "10", 80: "20"}, "Kai")
    _polyline(to, [(40, 28), (210, 113)])
    _polyline(to, [(40, 28), (210, 70)], RED)
    _label(to, (216, 113), "甲", "Kai")
    _label(to, (216, 66), "乙", "Kai")
    return to


def ruler_zh() -> Drawing:
    """A ruler in centimetres with a pencil of 4.4 cm above it."""
    to = _canvas(280, 90)
    _rectangle(to, (20, 15, 246, 38), PALE, BLUE)
    for n in range(61):
        long = 16 if n % 10 == 0 else 11 if n % 5 == 0 else 7
        _line(to, (30 + 3.6 * n, 53), (30 + 3.6 * n, 53 - long), black, 0.6)
        if n % 10 == 0:
            _label(to, (30 + 3.6 * n, 24), str(n // 10))
    _label(to, (264, 40), "cm", anchor="end")
    _rectangle(to, (30, 56, 144, 11), HexColor("#f0d58a"), black)
    to.add(Polygon([174, 56, 174, 67, 188.4, 61.5], fillColor=GREY, strokeColor=black))
    return to


def echo_zh() -> Drawing:
    """Sound that goes to a wall and comes back."""
    to = _canvas(280, 90)
    to.add(Circle(40, 50, 9, fillColor=PALE, strokeColor=BLUE))
    _line(to, (40, 41), (40, 14), BLUE, 2)
    _rectangle(to, (230, 10, 14, 72), GREY, None)
    _arrow(to, (60, 58), (226, 58), RED)
    _arrow(to, (226, 38), (60, 38), GREEN)
    _label(to, (140, 63), "发出的声音", "Kai")
    _label(to, (140, 24), "回声", "Kai")
    _label(to, (262, 46), "山崖", "Kai")
    return to


def mass_volume_zh() -> Drawing:
    """Mass against volume for two materials: straight lines through the origin."""
    to = _graph(("体积 V/cm³", "质量 m/g"), {60: "10", 120: "20"}, {54: "27", 108: "54"}, "Kai")
    _polyline(to, [(40, 28), (172, 147)])
    _polyline(to, [(40, 28), (220, 64)], RED)
    _label(to, (182, 140), "铝", "Kai")
    _label(to, (228, 62), "木", "Kai")
    return to


FIGURES: dict[str, Callable[[], Drawing]] = {
    "path": path,
    "position_graph": position_graph,
    "block_forces": block_forces,
    "spring_scale": spring_scale,
    "wave_kinds": wave_kinds,
    "wave_parts": wave_parts,
    "reflection": reflection,
    "convex_lens": convex_lens,
    "velocity_graph": velocity_graph,
    "force_pair": force_pair,
    "pendulum": pendulum,
    "heating_curve": heating_curve,
    "circuit": circuit,
    "current_graph": current_graph,
    "graph_zh": graph_zh,
    "ruler_zh": ruler_zh,
    "echo_zh": echo_zh,
    "mass_volume_zh": mass_volume_zh,
}

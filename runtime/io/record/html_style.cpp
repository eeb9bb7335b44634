// The style sheet of all pages.

#include "runtime/io/record/html.hpp"

namespace takt::html {

// Colours of lines (--c0 to --c7) are told apart with any colour vision; signals have a dash pattern beside them,
// causes a shape. No '<' or '&' in here: a page is well-formed XML.
// The formatter takes the text for code, so that it is told to leave it alone.
// clang-format off
std::string style() {
  return R"css(:root{color-scheme:light;--bg:#fff;--fg:#1b2127;--soft:#55606a;--line:#d8dde2;--panel:#f4f6f8;
--good:#0b6630;--goodbg:#e7f5ec;--warn:#7a4f00;--warnbg:#fdf4df;--bad:#a31515;--badbg:#fcebeb;
--c0:#0068a8;--c1:#c85200;--c2:#00805c;--c3:#b0468b;--c4:#8a6a00;--c5:#2f9bd8;--c6:#6b46b0;--c7:#55606a}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--bg:#14181c;--fg:#e4e8ec;--soft:#a3adb7;--line:#333b43;--panel:#1e242a;
--good:#6fd492;--goodbg:#12291b;--warn:#f0c060;--warnbg:#2e2510;--bad:#ff8f8f;--badbg:#361717;
--c0:#5cb3f2;--c1:#ff9254;--c2:#35cfa0;--c3:#ee9fd0;--c4:#dcbc3c;--c5:#9bdcff;--c6:#bca2f5;--c7:#a3adb7}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,"DejaVu Sans",sans-serif;max-width:1240px;margin:0 auto;padding:1rem;color:var(--fg);background:var(--bg);overflow-wrap:anywhere}
h1{font-size:1.45rem;line-height:1.25;margin:.2rem 0 .8rem}h2{font-size:1.15rem;margin:2.2rem 0 .6rem;padding-bottom:.2rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:1.2rem 0 .3rem}p{margin:.4rem 0;max-width:60rem}ul{margin:.4rem 0;padding-left:1.3rem}
.kind,.note{color:var(--soft);font-size:.87rem}code{font:.87em ui-monospace,"DejaVu Sans Mono",monospace}
.verdict{border-left:6px solid;padding:.6rem 1rem;border-radius:4px}.verdict p{margin:0;max-width:none}.verdict .headline{font-size:1.25rem;font-weight:700;line-height:1.3}
.verdict li{margin:.2rem 0}.verdict ul{color:var(--fg)}
.good{color:var(--good);background:var(--goodbg)}.warning{color:var(--warn);background:var(--warnbg)}.bad{color:var(--bad);background:var(--badbg)}
.no{color:var(--bad);font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.6rem;list-style:none;padding:0;margin:.8rem 0}
.tiles li{background:var(--panel);border-radius:4px;padding:.5rem .8rem;font-size:.87rem}.tiles b{display:block;font-size:1.3rem;line-height:1.3}.tiles small{color:var(--soft)}
.facts{display:grid;grid-template-columns:max-content 1fr max-content 1fr;gap:.15rem .9rem;font-size:.87rem;margin:.8rem 0}
.facts dt{color:var(--soft)}.facts dd{margin:0}.facts .long{grid-column:2/-1}
table{border-collapse:collapse;font-size:.87rem;width:100%;margin:.4rem 0}td,th{padding:.2rem .5rem;text-align:right;border-bottom:1px solid var(--line);vertical-align:top;font-variant-numeric:tabular-nums}
table{overflow-wrap:break-word}.stack td:first-child{min-width:8.5rem}th{background:var(--panel);vertical-align:bottom;font-weight:600}.t,td:first-child,th:first-child{text-align:left}
td:not(.t):not(:first-child){white-space:nowrap}
summary{cursor:pointer;color:var(--c0);font-size:.9rem;margin:.3rem 0}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,34rem),1fr));gap:1rem 2rem}.plots>*{min-width:0}
figure{margin:.6rem 0;max-width:44rem;break-inside:avoid}figcaption{font-size:.9rem;font-weight:600}svg{display:block;width:100%;height:auto}
.grid{stroke:var(--line)}.tick{font-size:13px;fill:var(--soft)}.limit{stroke:var(--bad);stroke-dasharray:6 4}.limit-text{font-size:13px;fill:var(--bad);paint-order:stroke;stroke:var(--bg);stroke-width:4px}
.line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}.band{stroke:none;fill-opacity:.22}.column{fill:var(--c0)}
.k0{stroke:var(--c0);--k:var(--c0)}.k1{stroke:var(--c1);--k:var(--c1)}.k2{stroke:var(--c2);--k:var(--c2)}.k3{stroke:var(--c3);--k:var(--c3)}
.k4{stroke:var(--c4);--k:var(--c4)}.k5{stroke:var(--c5);--k:var(--c5)}.k6{stroke:var(--c6);--k:var(--c6)}.k7{stroke:var(--c7);--k:var(--c7)}
.band,.dot,.hit{fill:var(--k)}.open{fill:var(--bg)}.hit,.open{stroke-width:1.6}.grace{opacity:.45}
.moment{stroke:var(--fg);fill:var(--fg);opacity:.75}
.d1{stroke-dasharray:6 4.5}.d2{stroke-dasharray:1 4.5}.d3{stroke-dasharray:8 4.5 1 4.5}
.legend{font-size:.87rem;display:flex;flex-wrap:wrap;gap:.1rem 1rem;margin:.2rem 0;padding:0;list-style:none}
.legend svg,.swatch{display:inline-block;width:26px;height:12px;vertical-align:middle;margin-right:.3rem}
.spark{width:110px;height:18px}
.bar{display:inline-block;width:7rem;max-width:40vw;height:.7em;background:var(--panel);vertical-align:baseline}.bar i{display:block;height:100%;background:var(--c0)}
.bar,.bar i,.tiles li,th,.verdict{-webkit-print-color-adjust:exact;print-color-adjust:exact}
.has-live .live{touch-action:pan-y;cursor:crosshair}.live:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible{outline:2px solid var(--c0);outline-offset:1px}
@media screen{.has-live>svg:not(.live){display:none}}.plots .wide{max-width:none}.plots>:has(.wide){grid-column:1/-1}.wide{max-width:none}
.tools,.kinds{display:flex;flex-wrap:wrap;gap:.25rem}button,select,input[type=search]{font:inherit;font-size:.8rem;padding:.1rem .5rem;color:var(--fg);background:var(--panel);border:1px solid var(--soft);border-radius:3px}button{cursor:pointer}
.status{min-height:1.3em;font-size:.8rem;color:var(--soft);margin:.1rem 0}.choice{max-height:14rem;overflow:auto;font-size:.85rem}.choice label{display:inline-block;margin-right:.9rem}.choice label[hidden]{display:none}
.cursor line{stroke:var(--fg);stroke-dasharray:4 3}.cursor text{font-size:13px;font-weight:700;fill:var(--fg)}.chosen{fill:var(--c0);fill-opacity:.18;stroke:var(--c0)}
.flow{fill:none;stroke-opacity:.4}.flow-name{font-size:13px;fill:var(--fg);paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}
.event{cursor:pointer}.event-line{stroke:var(--fg);opacity:.4}.readout td:not(.t):not(:first-child){white-space:normal;overflow-wrap:normal}.readout td:first-child{overflow-wrap:anywhere}.readout{font-size:.8rem}
@media (max-width:760px){.facts{grid-template-columns:max-content 1fr}.s{display:none}
body{padding:.7rem}td{overflow-wrap:anywhere}td,th{padding:.2rem .25rem}table{font-size:.8rem}.tiles{grid-template-columns:repeat(2,1fr)}
.stack thead{display:none}.stack tr{display:block;border-bottom:1px solid var(--line);padding:.3rem 0}
.stack td{display:inline-block;border:0;padding:0 .8rem 0 0;text-align:left;white-space:normal}.stack td:first-child{display:block;font-weight:600}
.stack td[data-l]:not(:empty)::before{content:attr(data-l)": ";color:var(--soft)}}
@media print{.live,.tools,.status,.readout,.kinds,.events,.has-live details{display:none}body{font-size:10pt;max-width:none;padding:0}h2{break-after:avoid}tr{break-inside:avoid}.plots{grid-template-columns:1fr 1fr}}
)css";
}
// clang-format on

}  // namespace takt::html

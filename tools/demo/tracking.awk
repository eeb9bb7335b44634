# awk -v actual=COLUMN -v wanted=COLUMN [-v band=2] [-v percent=99] [-v from=0] -f tracking.awk signals.csv
# How well one recorded speed follows another. Speeds in m/s, the band in km/h; time is the first column, s.
# Ends with 1 where `actual` is outside the band for more than the remaining percent of the time, or a column is missing.
BEGIN { FS = ","; if (band == "") band = 2; if (percent == "") percent = 99; if (from == "") from = 0; code = 0 }
/^#/ { next }
!heads {
  heads = 1
  for (k = 1; k <= NF; ++k) {
    name = $k
    gsub(/"/, "", name)
    sub(/ *\[.*$/, "", name)
    if (name == actual) a = k
    if (name == wanted) w = k
  }
  if (!a || !w) { printf "no column %s in %s\n", a ? wanted : actual, FILENAME; code = 1; exit }
  next
}
$1 >= from {
  ++rows
  error = ($a - $w) * 3.6
  if (error < 0) error = -error
  if (error <= band) ++inside
  if (error > worst) { worst = error; when = $1 }
  if ($a * 3.6 > top) top = $a * 3.6
  last = $1
}
END {
  if (code) exit code
  if (!rows) { print "no rows in " FILENAME; exit 1 }
  kept = 100 * inside / rows
  # A vehicle that stands still follows a cycle that stands still: say how fast it went.
  printf "%s within %g km/h of %s for %.2f %% of %g s (worst %.2f km/h at %g s, top speed %.1f km/h): %s\n", actual, band,
    wanted, kept, last - from, worst, when, top, (kept >= percent ? "ok" : "NOT MET")
  exit kept >= percent ? 0 : 1
}

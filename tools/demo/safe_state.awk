# awk -v kill=22 -f safe_state.awk signals.csv   did ev go to its safe state after the ECU was killed at about `kill` s?
# Safe: contactors open, no torque asked for, fan at full speed; and before: contactors closed, else nothing is proven.
BEGIN { FS = ","; code = 0 }
/^#/ { next }
!heads {
  heads = 1
  for (k = 1; k <= NF; ++k) {
    name = $k
    gsub(/"/, "", name)
    sub(/ *\[.*$/, "", name)
    column[name] = k
  }
  main = column["control.main_closed.out"]
  torque = column["control.torque_command.out"]
  fan = column["control.fan.out"]
  if (!main || !torque || !fan) { print "a column is missing in " FILENAME; code = 1; exit }
  next
}
$1 < kill - 1 && $main > 0.5 { driven = 1 }
{ time = $1; closed = $main; asked = $torque; duty = $fan }
$main > 0.5 { last_closed = $1 }
END {
  if (code) exit code
  safe = driven && closed < 0.5 && asked == 0 && duty == 1 && last_closed < kill + 3
  printf "contactors closed until %g s, then open; at %g s torque asked for %g N*m, fan at %g %%: %s\n", last_closed, time, asked,
    100 * duty, (safe ? "safe state" : "NOT the safe state")
  exit safe ? 0 : 1
}

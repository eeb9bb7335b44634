# shellcheck shell=bash
# Sourced. On the host: adapter_arguments. In a guest: two CAN interfaces, can0 and can1, joined by a wire; see README.md.
#   adapter_arguments EMULATOR   the words for targets/qemu/run, one a line
#   bring_up EMULATOR PROGRAMS   makes can0 and can1, down and not configured; PROGRAMS: the folder of the built adapters
#   adapter COMMAND NUMBER ...   tells the adapter, e.g. `adapter bus_off 0`; prints its answer, fails where that is an error
#   $adapter_log                 the path of its log
# EMULATOR: kvaser, slcan, gs_usb, vcan.

adapter_log=/run/adapter.log

adapter_arguments() {
  case $1 in
    kvaser)
      printf '%s\n' -k can-raw,kvaser_pci -q \
        "-object can-bus,id=wire -device kvaser_pci,canbus=wire -device kvaser_pci,canbus=wire"
      ;;
    slcan) printf '%s\n' -k can-raw,slcan ;;
    gs_usb) printf '%s\n' -k can-raw,gs_usb,dummy_hcd,usb_f_fs ;;
    vcan) printf '%s\n' -k can-raw,vxcan ;;
    *) echo "adapter_arguments: no emulator $1: kvaser, slcan, gs_usb, vcan" >&2; return 2 ;;
  esac
}

# Starts an adapter behind two pipes. Opened for both directions they never block on a missing partner.
start_adapter() {
  mkfifo /run/adapter.commands /run/adapter.answers
  "$@" <>/run/adapter.commands 1<>/run/adapter.answers 2>"$adapter_log" &
  wait_for "the adapter" grep -q '^ready' "$adapter_log"
}

# wait_for WHAT COMMAND...   a loaded host emulates slowly
wait_for() {
  local what=$1 attempt
  shift
  for ((attempt = 0; attempt < 600; attempt++)); do
    ! "$@" 2>/dev/null || return 0
    sleep 0.05
  done
  echo "bring_up: waited in vain for $what" >&2
  [ ! -e "$adapter_log" ] || cat "$adapter_log" >&2
  return 1
}

# A USB device of which the adapter plays the function, plugged into the emulated host controller.
plug_gs_usb() {
  local gadget=/sys/kernel/config/usb_gadget/adapter
  [ -d /sys/kernel/config/usb_gadget ] || mount -t configfs none /sys/kernel/config
  mkdir -p "$gadget"/{strings/0x409,configs/c.1,functions/ffs.adapter} /run/adapter.usb
  echo 0x1d50 >"$gadget/idVendor"  # OpenMoko's numbers for candleLight
  echo 0x606f >"$gadget/idProduct"
  echo takt >"$gadget/strings/0x409/manufacturer"
  ln -s "$gadget/functions/ffs.adapter" "$gadget/configs/c.1/"
  mount -t functionfs adapter /run/adapter.usb
  start_adapter "$1/gs_usb_adapter" /run/adapter.usb || return 1
  echo dummy_udc.0 >"$gadget/UDC"
}

bring_up() {
  case $1 in
    kvaser) ;;
    slcan) start_adapter "$2/slcan_adapter" || return 1 ;;
    gs_usb) plug_gs_usb "$2" || return 1 ;;
    vcan) ip link add can0 mtu 72 type vxcan peer name can1 mtu 72 || return 1 ;;
    *) echo "bring_up: no emulator $1: kvaser, slcan, gs_usb, vcan" >&2; return 2 ;;
  esac
  wait_for "interface can1" test -e /sys/class/net/can0 -a -e /sys/class/net/can1
}

adapter() {
  local answer
  [ -p /run/adapter.commands ] || { echo "adapter: this emulator takes no commands" >&2; return 2; }
  echo "$*" >/run/adapter.commands
  read -r -t 30 answer <>/run/adapter.answers || { echo "adapter: no answer to $*" >&2; return 1; }
  echo "$answer"
  [ "${answer#error}" = "$answer" ]
}

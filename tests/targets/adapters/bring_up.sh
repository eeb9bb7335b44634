# shellcheck shell=bash
# Sourced. On the host: adapter_arguments. In a guest: two CAN interfaces, can0 and can1, joined by a wire; see README.md.
#   adapter_arguments EMULATOR   the words for targets/qemu/run, one a line
#   bring_up EMULATOR PROGRAMS   makes can0 and can1, down and not configured; PROGRAMS: the folder of the built adapters
#   adapter COMMAND NUMBER ...   tells the adapter, e.g. `adapter bus_off 0`; prints its answer, fails where that is an error
#   $adapter_log                 the path of its log
# EMULATOR: kvaser, slcan, gs_usb, ucan, vcan.

adapter_log=/run/adapter.log

adapter_arguments() {
  case $1 in
    kvaser)
      printf '%s\n' -k can-raw,kvaser_pci -q \
        "-object can-bus,id=wire -device kvaser_pci,canbus=wire -device kvaser_pci,canbus=wire"
      ;;
    slcan) printf '%s\n' -k can-raw,slcan ;;
    gs_usb) printf '%s\n' -k can-raw,gs_usb,dummy_hcd,usb_f_fs ;;
    ucan) printf '%s\n' -k can-raw,ucan,dummy_hcd,usb_f_fs -a dummy_hcd.num=2 ;;
    vcan) printf '%s\n' -k can-raw,vxcan ;;
    *) echo "adapter_arguments: no emulator $1: kvaser, slcan, gs_usb, ucan, vcan" >&2; return 2 ;;
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
  local what=$1 end=$((SECONDS + 60))
  shift
  while ((SECONDS < end)); do
    ! "$@" 2>/dev/null || return 0
    sleep 0.05
  done
  echo "bring_up: waited in vain for $what" >&2
  [ ! -e "$adapter_log" ] || cat "$adapter_log" >&2
  return 1
}

# make_usb_device NAME VENDOR PRODUCT: one of which a program plays the function, behind the FunctionFS at /run/NAME.
make_usb_device() {
  local gadget=/sys/kernel/config/usb_gadget/$1
  [ -d /sys/kernel/config/usb_gadget ] || mount -t configfs none /sys/kernel/config
  mkdir -p "$gadget"/{strings/0x409,configs/c.1,functions/ffs."$1"} "/run/$1"
  echo "$2" >"$gadget/idVendor"
  echo "$3" >"$gadget/idProduct"
  echo takt >"$gadget/strings/0x409/manufacturer"
  ln -s "$gadget/functions/ffs.$1" "$gadget/configs/c.1/"
  mount -t functionfs "$1" "/run/$1"
}

# plug_in NAME CONTROLLER INTERFACE: into an emulated USB controller; then the interface appears.
plug_in() {
  echo "dummy_udc.$2" >"/sys/kernel/config/usb_gadget/$1/UDC"
  wait_for "interface $3" test -e "/sys/class/net/$3"
}

bring_up_gs_usb() {
  make_usb_device adapter 0x1d50 0x606f  # OpenMoko's numbers for candleLight
  start_adapter "$1/gs_usb_adapter" /run/adapter && plug_in adapter 0 can1
}

bring_up_ucan() {
  make_usb_device adapter_0 0x2294 0x425b  # Theobroma's Seal
  make_usb_device adapter_1 0x2294 0x425b
  start_adapter "$1/ucan_adapter" /run/adapter_0 /run/adapter_1 && plug_in adapter_0 0 can0 && plug_in adapter_1 1 can1
}

bring_up() {
  case $1 in
    kvaser) ;;
    slcan) start_adapter "$2/slcan_adapter" || return 1 ;;
    gs_usb) bring_up_gs_usb "$2" || return 1 ;;
    ucan) bring_up_ucan "$2" || return 1 ;;
    vcan) ip link add can0 mtu 72 type vxcan peer name can1 mtu 72 || return 1 ;;
    *) echo "bring_up: no emulator $1: kvaser, slcan, gs_usb, ucan, vcan" >&2; return 2 ;;
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

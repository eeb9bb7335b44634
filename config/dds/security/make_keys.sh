#!/bin/bash
# make_keys.sh FOLDER [NAME...]   keys, certificates and settings of Cyclone DDS for DDS Security, by openssl, for the subjects of
# permissions.xml: bridge, operator, reader, or those named. FOLDER/NAME.xml is what `takt-dds --config` takes. The *_ca.key belong
# to who may admit others: keep them elsewhere. Where FOLDER has authorities already, they admit the subjects named.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "make_keys.sh FOLDER [NAME...]" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -ge 1 ] || set -- bridge operator reader
plugins=${TAKT_DDS_PLUGINS:-$(dirname "$(dpkg -L libddsc0debian 2>/dev/null | grep libdds_security_auth.so || echo /none/none)")}
[ -f "$plugins/libdds_security_auth.so" ] ||
  { echo "no plugins of DDS Security: install Debian's libddsc0debian, or say where they are in TAKT_DDS_PLUGINS" >&2; exit 1; }
umask 077
cd "$folder"
curve=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
for authority in identity permissions; do
  [ -f ${authority}_ca.key ] ||
    openssl req -x509 "${curve[@]}" -days 3650 -keyout ${authority}_ca.key -out ${authority}_ca.pem -subj "/CN=takt $authority" 2>/dev/null
done
for document in governance permissions; do
  openssl smime -sign -text -in "$here/$document.xml" -out $document.p7s -signer permissions_ca.pem -inkey permissions_ca.key
done
for name in "$@"; do
  openssl req "${curve[@]}" -keyout "$name.key" -out "$name.csr" -subj "/CN=$name" 2>/dev/null
  openssl x509 -req -in "$name.csr" -CA identity_ca.pem -CAkey identity_ca.key -CAcreateserial -days 3650 -out "$name.pem" 2>/dev/null
  rm "$name.csr"
  cat >"$name.xml" <<XML
<CycloneDDS><Domain Id="any"><Security>
  <Authentication>
    <Library path="$plugins/libdds_security_auth.so" initFunction="init_authentication" finalizeFunction="finalize_authentication"/>
    <IdentityCA>file:$folder/identity_ca.pem</IdentityCA>
    <IdentityCertificate>file:$folder/$name.pem</IdentityCertificate>
    <PrivateKey>file:$folder/$name.key</PrivateKey>
  </Authentication>
  <AccessControl>
    <Library path="$plugins/libdds_security_ac.so" initFunction="init_access_control" finalizeFunction="finalize_access_control"/>
    <PermissionsCA>file:$folder/permissions_ca.pem</PermissionsCA>
    <Governance>file:$folder/governance.p7s</Governance>
    <Permissions>file:$folder/permissions.p7s</Permissions>
  </AccessControl>
  <Cryptographic>
    <Library path="$plugins/libdds_security_crypto.so" initFunction="init_crypto" finalizeFunction="finalize_crypto"/>
  </Cryptographic>
</Security></Domain></CycloneDDS>
XML
done

#!/usr/bin/env python3
"""Verifies an audit package offline: python3 verify.py PACKAGE --pin KEY [--anchor FILE]...

PACKAGE is the ZIP file, or the folder that it was unpacked into. Needs Python 3.8 or newer and the openssl command
(1.1.1 or newer), nothing else; no line is shared with the service that made the package. verify.mjs does the same in
Node.

  --pin KEY      the public key (name+hash+base64) that you were given by another way than this package
  --anchor FILE  a checkpoint that you kept earlier: a signed note, or the JSON of a webhook or of its `audit` field
  --allow-unpinned  believe the package about its own key

Exit code: 0 verified, 1 tampered, 2 incomplete, 3 cannot be verified (unreadable, or of another format), 4 not pinned:
all of it was signed, by a key that only the package itself names.
"""
import base64
import binascii
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

FORMAT = "vigia-audit-package/1"
DASH = "\u2014 "
SPKI = bytes.fromhex("302a300506032b6570032100")
SAFE = 2**53 - 1


class Tampered(Exception):
    pass


class Incomplete(Exception):
    pass


class Unverifiable(Exception):
    pass


def sha256(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()


def leaf_hash(data):
    return sha256(b"\x00", data)


def node_hash(left, right):
    return sha256(b"\x01", left, right)


def strict_base64(text, what):
    """Bytes of standard base64 that has exactly one way to be written."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise Tampered(f"{what} is not base64")
    if base64.b64encode(data).decode() != text:
        raise Tampered(f"{what} is not base64")
    return data


def parsed(text, what):
    try:
        return json.loads(text)
    except ValueError:
        raise Tampered(f"{what} is no JSON")


# --- the package: a ZIP file or a folder ------------------------------------------------------------------------------


def refuse_surroundings(location):
    """zipfile reads an archive with anything in front of it or behind it; a package is the archive alone."""
    around = Tampered("there is something around the archive")
    with open(location, "rb") as file:
        size = file.seek(0, os.SEEK_END)

        def read(position, length):
            file.seek(position)
            data = file.read(length)
            if len(data) != length:
                raise Unverifiable("the ZIP file is cut off")
            return data

        tail = read(max(0, size - 65557), min(size, 65557))
        end = tail.rfind(b"PK\x05\x06")
        if end < 0 or end + 22 > len(tail):
            raise Unverifiable("the file is no ZIP file")
        if end + 22 != len(tail) or tail[end + 20 : end + 22] != b"\0\0":
            raise around
        close = size - 22
        count, length, start = struct.unpack("<HII", tail[end + 10 : end + 20])
        if count == 0xFFFF or 0xFFFFFFFF in (length, start):
            locator = read(max(0, close - 20), 20)
            if locator[:4] != b"PK\x06\x07":
                raise Unverifiable("the ZIP file is cut off")
            if struct.unpack("<Q", locator[8:16])[0] != close - 76:
                raise around
            close -= 76
            length, start = struct.unpack("<QQ", read(close, 56)[40:56])
        if start + length > size:
            raise Unverifiable("the ZIP file is cut off")
        if start + length != close:
            raise around


class Package:
    def __init__(self, location):
        if os.path.isdir(location):
            self.names = set(os.listdir(location))
            self._open = lambda name: open(os.path.join(location, name), "rb")
        elif os.path.exists(location):
            refuse_surroundings(location)
            try:
                archive = zipfile.ZipFile(location)
            except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
                raise Unverifiable(f"the file cannot be read as a ZIP file: {error}")
            if all(member.header_offset != 0 for member in archive.infolist()):
                raise Tampered("there is something around the archive")
            listed = archive.namelist()
            self.names = set(listed)
            if len(listed) != len(self.names):
                raise Tampered("the ZIP file has a name twice")
            self._open = archive.open
        else:
            raise Unverifiable(f"there is no {location}")

    def read(self, name, on_line=None, keep=True):
        """Reads a member; gives its length, SHA-256 and (without on_line) its text."""
        if name not in self.names:
            raise Incomplete(f"{name} is missing")
        digest, size, kept = hashlib.sha256(), 0, []
        try:
            with self._open(name) as member:
                if on_line is not None:
                    for line in member:
                        digest.update(line)
                        size += len(line)
                        if not line.endswith(b"\n"):
                            raise Tampered(f"{name} does not end with a line")
                        on_line(line[:-1].decode("latin-1"))
                else:
                    for chunk in iter(lambda: member.read(1 << 20), b""):
                        digest.update(chunk)
                        size += len(chunk)
                        if keep:
                            kept.append(chunk)
        except (Tampered, Incomplete):
            raise
        except Exception as error:
            raise Tampered(f"{name} cannot be read: {error}")
        try:
            text = b"".join(kept).decode("utf-8") if keep else ""
        except UnicodeDecodeError:
            raise Tampered(f"{name} is no text")
        return {"bytes": size, "sha256": digest.hexdigest(), "text": text}


# --- signed notes (c2sp.org/signed-note, c2sp.org/tlog-checkpoint) ------------------------------------------------------


class Key:
    def __init__(self, vkey):
        match = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})", str(vkey))
        if not match:
            raise Unverifiable("a key is not of the form name+hash+base64")
        raw = base64.b64decode(match.group(3))
        if len(raw) != 33 or raw[0] != 1:
            raise Unverifiable("a key is not of the form name+hash+base64")
        self.vkey, self.name = vkey, match.group(1)
        self.id = sha256(self.name.encode() + b"\n", raw)[:4]
        if self.id.hex() != match.group(2):
            raise Tampered("the hash in a key is not its own")
        self.der = SPKI + raw[1:]

    def has_signed(self, text, signature):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("key", "text", "signature")]
            for path, data in zip(paths, (self.der, text, signature)):
                with open(path, "wb") as file:
                    file.write(data)
            key, message, signed = paths
            try:
                done = subprocess.run(
                    ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", key]
                    + ["-rawin", "-in", message, "-sigfile", signed],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            except FileNotFoundError:
                raise Unverifiable("the openssl command is needed to check signatures")
            return done.returncode == 0


def signed_text(note, keys, what):
    """Returns the text of a note that one of the keys has signed; raises otherwise."""
    split = note.find("\n\n")
    if split < 0 or not note.endswith("\n"):
        raise Tampered(f"{what} is no signed note")
    text = note[: split + 1]
    for line in note[split + 2 : -1].split("\n"):
        match = re.fullmatch("\u2014 ([^\\s+]+) ([A-Za-z0-9+/]+={0,2})", line)
        if not match:
            raise Tampered(f"{what} has a line that is no signature")
        data = strict_base64(match.group(2), f"a signature of {what}")
        key = next((key for key in keys if key.name == match.group(1) and key.id == data[:4]), None)
        if key is None:
            continue
        if len(data) != 68 or not key.has_signed(text.encode(), data[4:]):
            raise Tampered(f"the signature of {what} is not valid")
        return text
    raise Tampered(f"{what} is not signed by a key that counts")


def is_signed(note, keys):
    try:
        signed_text(note, keys, "the note")
        return True
    except Tampered:
        return False


def checkpoint_in(note, keys, what):
    lines = signed_text(note, keys, what).split("\n")
    if len(lines) < 4 or not re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1]):
        raise Tampered(f"{what} is no checkpoint")
    root = strict_base64(lines[2], what)
    if len(root) != 32:
        raise Tampered(f"{what} is no checkpoint")
    return {"origin": lines[0], "size": int(lines[1]), "root": root}


def anchor_note(text, name):
    if not text.lstrip().startswith("{"):
        return text
    value = parsed(text, "the anchor")
    audit = value.get("audit") or value
    if not isinstance(audit.get("origin"), str):
        raise Unverifiable("the anchor holds no checkpoint")
    body = f"{audit['origin']}\n{audit['size']}\n{audit['root']}\ntime {audit['signedAt']}\n"
    return f"{body}\n{DASH}{name} {audit['signature']}\n"


# --- Merkle tree (RFC 6962) ---------------------------------------------------------------------------------------------


class Tree:
    """Takes leaves one by one and knows the root at every size."""

    def __init__(self):
        self.size, self.roots = 0, []

    def add(self, leaf):
        rest = self.size
        while rest & 1:
            leaf = node_hash(self.roots.pop(), leaf)
            rest >>= 1
        self.roots.append(leaf)
        self.size += 1

    def root(self):
        if not self.roots:
            return sha256()
        node = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            node = node_hash(left, node)
        return node


def root_of_path(index, size, leaf, siblings):
    position, last, node = index, size - 1, leaf
    for sibling in siblings:
        if last == 0:
            return None
        if position & 1 or position == last:
            node = node_hash(sibling, node)
            while not position & 1 and position:
                position >>= 1
                last >>= 1
        else:
            node = node_hash(node, sibling)
        position >>= 1
        last >>= 1
    return node if last == 0 else None


def is_consistent(earlier, later, proof):
    if earlier["size"] > later["size"]:
        return False
    if earlier["size"] == later["size"]:
        return not proof and earlier["root"] == later["root"]
    if earlier["size"] == 0:
        return not proof and earlier["root"] == sha256()
    position, last = earlier["size"] - 1, later["size"] - 1
    while position & 1:
        position >>= 1
        last >>= 1
    nodes = ([earlier["root"]] if position == 0 else []) + list(proof)
    if not nodes:
        return False
    old = new = nodes[0]
    for node in nodes[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            old, new = node_hash(node, old), node_hash(node, new)
            while not position & 1 and position:
                position >>= 1
                last >>= 1
        else:
            new = node_hash(new, node)
        position >>= 1
        last >>= 1
    return last == 0 and old == earlier["root"] and new == later["root"]


# --- the verification ---------------------------------------------------------------------------------------------------


def read_paths(package, name, key):
    paths = {}

    def on_line(line):
        value = parsed(line, f"a line of {name}")
        try:
            paths[value[key]] = [strict_base64(node, f"a hash in {name}") for node in value["path"]]
        except (KeyError, TypeError):
            raise Tampered(f"{name} has a line of another form")

    return paths, package.read(name, on_line, keep=False)


class Prunings:
    """Reads which entries the log names as pruned. Each entry that names some is proven to be in the log."""

    def __init__(self, package, checkpoint):
        self.checkpoint, self.runs, self.at = checkpoint, [], 0
        if "prunings.jsonl" in package.names:
            package.read("prunings.jsonl", self.on_line, keep=False)
        self.runs.sort()

    def on_line(self, line):
        value = parsed(line, "a line of prunings.jsonl")
        index, size = value["index"], self.checkpoint["size"]
        if type(index) is not int or not 0 <= index < size:
            raise Tampered("prunings.jsonl has a line of another form")
        canonical = strict_base64(value["canonical"], f"entry {index}")
        nodes = [strict_base64(node, "a hash in prunings.jsonl") for node in value["path"]]
        if root_of_path(index, size, leaf_hash(canonical), nodes) != self.checkpoint["root"]:
            raise Tampered(f"the pruning in entry {index} is not in the log")
        entry = parsed(canonical, f"entry {index}")
        if entry.get("action") != "audit_log.pruned" or entry.get("subject") != f"audit_log:{entry.get('organisation')}":
            raise Tampered(f"entry {index} is no pruning")
        for span in entry["content"]["leaves"]:
            first, _, last = span.partition("-")
            self.runs.append((int(first), int(last or first)))

    def names(self, index):
        """To be called in the order of the log."""
        while self.at < len(self.runs) and self.runs[self.at][1] < index:
            self.at += 1
        return self.at < len(self.runs) and self.runs[self.at][0] <= index


class Events:
    """Reads events.jsonl once and knows what the rest of the verification asks of it."""

    def __init__(self, package, manifest, checkpoint, anchors):
        self.whole, self.size, self.root = manifest["whole"], checkpoint["size"], checkpoint["root"]
        self.paths, self.proofs_file = (None, None) if self.whole else read_paths(package, "proofs.jsonl", "index")
        self.tree, self.chains, self.count, self.previous, self.pruned = Tree(), {}, 0, -1, 0
        self.prunings = Prunings(package, checkpoint)
        self.wanted = {anchor["size"] for anchor in anchors}
        self.roots_at = {0: self.tree.root()} if 0 in self.wanted else {}
        self.file = package.read("events.jsonl", self.on_line, keep=False)
        if self.count != manifest["count"]:
            raise Incomplete(f"the manifest names {manifest['count']} entries, there are {self.count}")
        if self.pruned != manifest.get("pruned", 0):
            raise Incomplete(f"the manifest names {manifest.get('pruned', 0)} pruned entries, there are {self.pruned}")
        if self.whole:
            if self.tree.size != self.size:
                raise Incomplete(f"the log has {self.size} entries, here are {self.tree.size}")
            if self.tree.root() != self.root:
                raise Tampered("the entries do not give the signed root")

    def on_line(self, line):
        event = parsed(line, "a line of events.jsonl")
        index = event.get("index") if isinstance(event, dict) else None
        if type(index) is not int or index > SAFE or index <= self.previous or index >= self.size:
            raise Tampered(f"events.jsonl is not in the order of the log after entry {self.previous}")
        self.previous = index
        self.count += 1
        if "pruned" in event:
            canonical, leaf = None, strict_base64(event["pruned"], f"entry {index}")
            self.pruned += 1
            if not self.prunings.names(index):
                raise Incomplete(f"entry {index} is missing: no entry of the log names it as pruned")
        else:
            canonical = strict_base64(event.get("canonical"), f"entry {index}")
            leaf = leaf_hash(canonical)
        if not self.whole:
            siblings = self.paths.get(index)
            if siblings is None:
                raise Incomplete(f"entry {index} has no proof")
            if root_of_path(index, self.size, leaf, siblings) != self.root:
                raise Tampered(f"entry {index} is not in the log")
            return
        if index != self.tree.size:
            raise Incomplete(f"entry {self.tree.size} is missing")
        self.tree.add(leaf)
        if self.tree.size in self.wanted:
            self.roots_at[self.tree.size] = self.tree.root()
        if canonical is None:
            # The claimed subject of a pruned leaf counts only if a later entry goes on from its hash.
            self.chains[event.get("subject")] = (event.get("seq"), leaf)
        else:
            self.follow(canonical, leaf, index)

    def follow(self, canonical, leaf, index):
        """Each entry names its place in the trail of its subject and the hash of the one before."""
        entry = parsed(canonical, f"entry {index}")
        subject, number = (entry.get("subject"), entry.get("seq")) if isinstance(entry, dict) else (None, None)
        if not isinstance(subject, str) or type(number) is not int:
            raise Tampered(f"entry {index} is not of the form of an entry")
        seq, before = self.chains.get(subject, (0, None))
        if number != seq + 1:
            raise Incomplete(f"the trail of {subject} has a gap before entry {index}")
        if entry.get("previous") != (before.hex() if before else None):
            raise Tampered(f"entry {index} does not follow the one before it in the trail of {subject}")
        self.chains[subject] = (seq + 1, leaf)


def verify_package(location, pins, anchors):
    package = Package(location)
    manifest_file = package.read("manifest.json")
    manifest = parsed(manifest_file["text"], "manifest.json")
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise Unverifiable(f"the format is not {FORMAT}")

    named = [Key(vkey) for vkey in parsed(package.read("keys.json")["text"], "keys.json").get("verifierKeys", [])]
    trusted = [Key(pin) for pin in pins] if pins else named
    if not trusted:
        raise Unverifiable("the package names no key")

    note = package.read("manifest.note")["text"]
    if pins and not is_signed(note, trusted) and is_signed(note, named):
        raise Unverifiable(
            "the package is signed by a key of its own that is not pinned: "
            "the pin is of another log, or the package is a forgery"
        )
    seal = signed_text(note, trusted, "manifest.note")
    if seal != f"{manifest['origin']}/package\n{manifest_file['sha256']}\n":
        raise Tampered("manifest.json is not the one that was signed")
    checkpoint = checkpoint_in(package.read("checkpoint.txt")["text"], trusted, "checkpoint.txt")
    if checkpoint["origin"] != manifest["origin"] or checkpoint["size"] != manifest["treeSize"]:
        raise Tampered("checkpoint.txt belongs to another package")

    known = []
    for name, text in anchors:
        anchor = checkpoint_in(anchor_note(text, trusted[0].name), trusted, f"the anchor {name}")
        if anchor["origin"] != checkpoint["origin"]:
            raise Unverifiable(f"the anchor {name} is of another log")
        if anchor["size"] > checkpoint["size"]:
            raise Tampered(f"the log was shortened: the anchor {name} has more entries than the package")
        known.append({"name": name, **anchor})

    events = Events(package, manifest, checkpoint, known)
    read = {"events.jsonl": events.file, "proofs.jsonl": events.proofs_file}
    for name, expected in manifest["files"].items():
        found = read.get(name) or package.read(name, keep=False)
        if (found["bytes"], found["sha256"]) != (expected["bytes"], expected["sha256"]):
            raise Tampered(f"{name} was changed")
    for name in sorted(package.names - {"manifest.json", "manifest.note"} - set(manifest["files"])):
        raise Tampered(f"{name} was added")

    proofs = read_paths(package, "consistency.jsonl", "from")[0] if known and "consistency.jsonl" in package.names else {}
    for anchor in known:
        root, proof = events.roots_at.get(anchor["size"]), proofs.get(anchor["size"])
        if root is None and proof is None and anchor["size"] != checkpoint["size"]:
            raise Unverifiable(f"the package has no proof for the size {anchor['size']} of the anchor {anchor['name']}")
        holds = root == anchor["root"] if root is not None else is_consistent(anchor, checkpoint, proof or [])
        if not holds:
            raise Tampered(f"the log was rewritten since the anchor {anchor['name']}")

    if manifest.get("missing", 0) != 0:
        raise Incomplete(f"{manifest['missing']} entries of the log are not here: missing.jsonl names them")

    whole = manifest["whole"]
    return [
        f"entries       {events.count}" + (" (the whole log)" if whole else f" of {checkpoint['size']}, selected"),
        *([f"pruned        of {events.pruned} only the hash is left; the log names them"] if events.pruned else []),
        f"log           {checkpoint['origin']}",
        f"root          {base64.b64encode(checkpoint['root']).decode()}",
        "trails        "
        + (f"{len(events.chains)} subjects, none with a gap" if whole else "not judged: selected entries only"),
        f"files         {len(manifest['files'])} unchanged",
        f"key           pinned: {trusted[0].vkey}"
        if pins
        else f"key           NOT PINNED: the package was believed about its own key {trusted[0].vkey}",
        f"anchors       {len(known)} earlier checkpoints are beginnings of this log"
        if known
        else "anchors       none given: only an earlier checkpoint shows that nothing was rewritten since",
    ]


def main(args):
    pins, anchors, location, believed = [], [], None, False
    try:
        rest = iter(args)
        for arg in rest:
            if arg == "--pin":
                pins.append(next(rest, ""))
            elif arg == "--anchor":
                name = next(rest, "")
                try:
                    with open(name, encoding="utf-8") as file:
                        anchors.append((os.path.basename(name), file.read()))
                except (OSError, UnicodeDecodeError):
                    anchors.append((os.path.basename(name), ""))
            elif arg == "--allow-unpinned":
                believed = True
            else:
                location = arg
        if location is None:
            raise Unverifiable("usage: python3 verify.py PACKAGE --pin KEY [--anchor FILE]...")
        for line in verify_package(location, pins, anchors):
            print(line)
        if not pins and not believed:
            print("NOT PINNED: give the key that you noted before (--pin), or --allow-unpinned")
            return 4
        print("VERIFIED")
        return 0
    except Tampered as error:
        print(f"TAMPERED: {error}")
        return 1
    except Incomplete as error:
        print(f"INCOMPLETE: {error}")
        return 2
    except Unverifiable as error:
        print(f"CANNOT BE VERIFIED: {error}")
        return 3
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        print(f"TAMPERED: the package is not of its form ({type(error).__name__})")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

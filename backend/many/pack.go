package many

import (
	"crypto/sha256"
	"encoding/binary"
)

// An id is packed as it is, as a UUID, as an even number of hexadecimal digits, or as its SHA-256 if it is long. What it begins with says
// which, and how many bytes follow.
const (
	asIs = iota
	asUUID
	asHex
	asSum
	ways
)

func head(dst []byte, size, way int) []byte { return binary.AppendUvarint(dst, uint64(size*ways+way)) }

// packedLen is how long the packed id is that a text begins with.
func packedLen(text []byte) int {
	n, begin := binary.Uvarint(text)
	return begin + int(n/ways)
}

// longest is the longest id that is kept as it is. Those of agents have some forty characters.
const longest = 200

// pack appends an id in few bytes: of two ids, different ones.
func pack(dst []byte, id string) []byte {
	const uuid, packedUUID = 36, 16
	if len(id) > longest {
		sum := sha256.Sum256([]byte(id))
		return append(head(dst, len(sum), asSum), sum[:]...)
	}
	n := len(dst)
	if len(id) == uuid && id[8] == '-' && id[13] == '-' && id[18] == '-' && id[23] == '-' {
		dst = head(dst, packedUUID, asUUID)
		ok := true
		for _, digits := range [...]string{id[:8], id[9:13], id[14:18], id[19:23], id[24:]} {
			if dst, ok = appendHex(dst, digits); !ok {
				break
			}
		}
		if ok {
			return dst
		}
	} else if len(id)%2 == 0 {
		if packed, ok := appendHex(head(dst, len(id)/2, asHex), id); ok {
			return packed
		}
	}
	return append(head(dst[:n], len(id), asIs), id...)
}

// appendHex appends what hexadecimal digits say; not ok if there are others, or large letters.
func appendHex(dst []byte, digits string) (packed []byte, ok bool) {
	for i := 0; i+1 < len(digits); i += 2 {
		high, low := digitOf(digits[i]), digitOf(digits[i+1])
		if high|low > 15 {
			return dst, false
		}
		dst = append(dst, high<<4|low)
	}
	return dst, true
}

// digitOf is what a hexadecimal digit says, more than 15 if it is none.
func digitOf(c byte) byte {
	const ten = 10
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + ten
	}
	return 255
}

package index

// sqliteReader reads the format's numbers: seven bits to a byte, the first byte first, the ninth whole.
type sqliteReader struct{ data []byte }

func (r *sqliteReader) varint() int64 {
	var v uint64
	for i, b := range r.data {
		if i == 8 {
			r.data = r.data[9:]
			return int64(v<<8 | uint64(b))
		}
		v = v<<7 | uint64(b&0x7F)
		if b < 0x80 {
			r.data = r.data[i+1:]
			return int64(v)
		}
	}
	r.data = nil
	return 0
}

// value is a column of a row: a number, a text or a blob. What is empty is a number that is 0.
type value struct {
	n    int64
	data []byte
	kind valueKind
}

type valueKind uint8

const (
	null valueKind = iota
	number
	blob
	text
)

// values reads the columns of a row; nil if it is none.
func values(payload []byte) []value {
	head := sqliteReader{payload}
	size := head.varint()
	if size < 1 || size > int64(len(payload)) || size < int64(len(payload)-len(head.data)) {
		return nil
	}
	head.data = head.data[:size-int64(len(payload)-len(head.data))]
	body := payload[size:]
	var out []value
	for len(head.data) > 0 {
		kind := head.varint()
		v, n := value{}, int64(0)
		switch {
		case kind == 0:
		case kind == 8 || kind == 9:
			v.kind, v.n = number, kind-8
		case kind <= 6 && kind > 0:
			v.kind, n = number, [...]int64{0, 1, 2, 3, 4, 6, 8}[kind]
		case kind >= 12:
			v.kind, n = blob+valueKind(kind%2), (kind-12)/2
		default:
			return nil
		}
		if n > int64(len(body)) {
			return nil
		}
		if v.data, body = body[:n:n], body[n:]; v.kind == number && n > 0 {
			v.n = int64(int8(v.data[0]))
			for _, b := range v.data[1:] {
				v.n = v.n<<8 | int64(b)
			}
		}
		out = append(out, v)
	}
	return out
}

package sources

import (
	"math"
	"slices"
	"strconv"

	"palimpsest/backend/wellformed"
)

// appender writes records as encoding/json does, to the byte, and without looking up by reflection what there is to write: a reading
// is mostly this. What it can't write, or would have to think about, is left to encoding/json: then it is not ok.
type appender struct {
	out []byte
	bad bool
}

// nestedMost is how deep values may be nested that are written without asking encoding/json, which draws the line further on.
const nestedMost = 9000

// name writes the name of a member, and the comma before it if it is not the first.
func (a *appender) name(name string) {
	if c := a.out[len(a.out)-1]; c != '{' {
		a.out = append(a.out, ',')
	}
	a.out = append(append(append(a.out, '"'), name...), '"', ':')
}

// text writes a member that is left out if it is empty, said one that is not.
func (a *appender) text(name, value string) {
	if value != "" {
		a.said(name, value)
	}
}

func (a *appender) said(name, value string) {
	a.name(name)
	a.out = appendText(a.out, value)
}

// number writes a member that is left out if it is 0, whole one that is not.
func (a *appender) number(name string, value int64) {
	if value != 0 {
		a.whole(name, value)
	}
}

func (a *appender) whole(name string, value int64) {
	a.name(name)
	a.out = strconv.AppendInt(a.out, value, 10)
}

func (a *appender) optional(name string, value *int64) {
	if value != nil {
		a.whole(name, *value)
	}
}

func (a *appender) optionalText(name string, value *string) {
	if value != nil {
		a.said(name, *value)
	}
}

func (a *appender) truth(name string, value *bool) {
	if value != nil {
		a.name(name)
		a.out = strconv.AppendBool(a.out, *value)
	}
}

func (a *appender) texts(name string, values *[]string) {
	if values == nil {
		return
	}
	a.name(name)
	if *values == nil {
		a.out = append(a.out, "null"...)
		return
	}
	a.out = append(a.out, '[')
	for i, value := range *values {
		a.comma(i)
		a.out = appendText(a.out, value)
	}
	a.out = append(a.out, ']')
}

func (a *appender) comma(i int) {
	if i > 0 {
		a.out = append(a.out, ',')
	}
}

// raw writes what is JSON already, without its white space.
func (a *appender) raw(raw []byte) {
	if deep, ok := wellformed.Depth(raw); !ok || deep > nestedMost {
		a.bad = true
		return
	}
	const rest = 1 << 10 // of the record
	a.out = appendCompact(slices.Grow(a.out, len(raw)+rest), raw)
}

func (a *appender) seqs(name string, seqs []int64) {
	if len(seqs) == 0 {
		return
	}
	a.name(name)
	a.out = append(a.out, '[')
	for i, seq := range seqs {
		a.comma(i)
		a.out = strconv.AppendInt(a.out, seq, 10)
	}
	a.out = append(a.out, ']')
}

// float writes a number as JavaScript does, but for the very large and the very small ones.
func (a *appender) float(f float64) {
	const least, most = 1e-6, 1e21
	if size := math.Abs(f); size != 0 && !(least <= size && size < most) {
		a.bad = true
		return
	}
	a.out = strconv.AppendFloat(a.out, f, 'f', -1, 64)
}

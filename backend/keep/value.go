package keep

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
)

// Values writes what pointers point to, or reads it.
func (s *State) Values(pointers ...any) {
	for _, p := range pointers {
		s.value(reflect.ValueOf(p).Elem())
	}
}

func (s *State) value(v reflect.Value) {
	if s.err != nil {
		return
	}
	if keeper, is := reflect.TypeAssert[Keeper](v.Addr()); is {
		keeper.Keep(s)
		return
	}
	switch v.Kind() { //nolint:exhaustive // others are not kept
	case reflect.Bool:
		s.flag(v.Bool(), v.SetBool)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.integer(v)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		u := v.Uint()
		if s.unsigned(&u); v.OverflowUint(u) {
			s.Fail(errors.New("a number is too large"))
		}
		v.SetUint(u)
	case reflect.Float64:
		bits := math.Float64bits(v.Float())
		s.unsigned(&bits)
		v.SetFloat(math.Float64frombits(bits))
	case reflect.String:
		if text := s.text([]byte(v.String())); s.Reads() {
			v.SetString(string(text))
		}
	case reflect.Slice:
		s.slice(v)
	case reflect.Array:
		for i := range v.Len() {
			s.value(v.Index(i))
		}
	case reflect.Map:
		s.table(v)
	case reflect.Pointer:
		s.pointer(v)
	case reflect.Struct:
		s.fields(v)
	default:
		s.Fail(fmt.Errorf("a %v can't be kept", v.Type()))
	}
}

func (s *State) flag(is bool, set func(bool)) bool {
	b := []byte{0}
	if is {
		b[0] = 1
	}
	if s.Bytes(b); b[0] > 1 {
		s.Fail(errors.New("a flag is none"))
	}
	if set != nil {
		set(b[0] == 1)
	}
	return b[0] == 1
}

// integer has small ones of either sign short.
func (s *State) integer(v reflect.Value) {
	n := v.Int()
	u := uint64(n)<<1 ^ uint64(n>>63)
	s.unsigned(&u)
	if n = int64(u>>1) ^ -int64(u&1); v.OverflowInt(n) {
		s.Fail(errors.New("a number is too large"))
	}
	v.SetInt(n)
}

func (s *State) unsigned(u *uint64) {
	if !s.Reads() {
		s.Bytes(binary.AppendUvarint(nil, *u))
		return
	}
	var n uint64
	for shift := 0; s.err == nil; shift += 7 {
		var b [1]byte
		s.Bytes(b[:])
		const last = 63
		if shift > last || shift == last && b[0] > 1 {
			s.Fail(errors.New("a number is too large"))
		}
		if n |= uint64(b[0]&0x7f) << shift; b[0] < 0x80 {
			break
		}
	}
	*u = n
}

// text writes one, or returns what it read: memory is taken as it comes.
func (s *State) text(text []byte) []byte {
	n := s.Len(len(text))
	if !s.Reads() {
		s.Bytes(text)
		return text
	}
	text = make([]byte, 0, min(n, buffer))
	for len(text) < n && s.err == nil {
		more := make([]byte, min(n-len(text), buffer))
		s.Bytes(more)
		text = append(text, more...)
	}
	return text
}

// slice takes one that is nil for another than one that is empty, as it does tables.
func (s *State) slice(v reflect.Value) {
	if !s.flag(!v.IsNil(), nil) {
		v.SetZero()
		return
	}
	if v.Type().Elem().Kind() == reflect.Uint8 {
		if text := s.text(v.Bytes()); s.Reads() {
			v.SetBytes(text)
		}
		return
	}
	n := s.Len(v.Len())
	if !s.Reads() {
		for i := range n {
			s.value(v.Index(i))
		}
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for range n {
		one := reflect.New(v.Type().Elem()).Elem()
		if s.value(one); s.err != nil {
			return
		}
		v.Set(reflect.Append(v, one))
	}
}

func (s *State) table(v reflect.Value) {
	if !s.flag(!v.IsNil(), nil) {
		v.SetZero()
		return
	}
	n := s.Len(v.Len())
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	if !s.Reads() {
		for each := v.MapRange(); each.Next(); {
			key.Set(each.Key())
			value.Set(each.Value())
			s.value(key)
			s.value(value)
		}
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key.SetZero()
		value.SetZero()
		s.value(key)
		if s.value(value); s.err != nil {
			return
		}
		v.SetMapIndex(key, value)
	}
}

func (s *State) pointer(v reflect.Value) {
	if !s.flag(!v.IsNil(), nil) {
		v.SetZero()
		return
	}
	if s.Reads() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	s.value(v.Elem())
}

// fields takes those that nobody else sees by where they stand in memory.
func (s *State) fields(v reflect.Value) {
	if at, is := reflect.TypeAssert[*time.Time](v.Addr()); is {
		s.time(at)
		return
	}
	for i := range v.NumField() {
		if v.Type().Field(i).Tag.Get("keep") == "-" {
			continue
		}
		field := v.Field(i)
		s.value(reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem())
	}
}

func (s *State) time(at *time.Time) {
	text, err := at.MarshalBinary()
	if err != nil {
		s.Fail(fmt.Errorf("keeping a time: %w", err))
		return
	}
	text = s.text(text)
	if s.err == nil && s.Reads() {
		if err := at.UnmarshalBinary(text); err != nil {
			s.Fail(fmt.Errorf("reading a time: %w", err))
		}
	}
}

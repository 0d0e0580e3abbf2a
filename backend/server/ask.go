package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"unicode/utf8"

	"palimpsest/backend/session"
)

// query reads a request's parameters. The first mistake is kept in err; what comes after it is worth nothing. A parameter
// that is missing, empty or 0 is as if left out; one that is not known has no effect.
type query struct {
	values url.Values
	err    error
}

func queryOf(r *http.Request) *query {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		err = badInput("the query: %w", err)
	}
	return &query{values, err}
}

func badInput(format string, args ...any) error {
	return fmt.Errorf("%w: %w", session.ErrInput, fmt.Errorf(format, args...))
}

func (q *query) fail(name, want string) {
	if q.err == nil {
		q.err = badInput("%s is %s, not %s", name, shown(q.values.Get(name)), want)
	}
}

// number is a whole number that JSON can hold exactly.
func (q *query) number(name string) int64 {
	n, err := wholeNumber(q.values.Get(name))
	if err != nil {
		q.fail(name, "a whole number from 0 to 2^53-1")
	}
	return n
}

// count is a number of things; no list is longer than the most it returns.
func (q *query) count(name string) int {
	return int(min(q.number(name), math.MaxInt32))
}

func wholeNumber(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	const bits = 53
	n, err := strconv.ParseUint(text, 10, bits)
	if err != nil {
		return 0, fmt.Errorf("reading a number: %w", err)
	}
	return int64(n), nil
}

func (q *query) flag(name string, whenLeftOut bool) bool {
	switch q.values.Get(name) {
	case "":
		return whenLeftOut
	case "0", "false":
		return false
	case "1", "true":
		return true
	}
	q.fail(name, "0 or 1")
	return false
}

// bodyMost bounds what is not a batch of records.
const bodyMost = 1 << 20

// readObject decodes a body, one JSON object without members that into does not have. No body at all is an empty object.
func readObject(w http.ResponseWriter, r *http.Request, into any) error {
	return readObjectUpTo(bodyMost, w, r, into)
}

// readObjectUpTo is readObject of a body of another length.
func readObjectUpTo(most int64, w http.ResponseWriter, r *http.Request, into any) error {
	body, err := io.ReadAll(bounded(w, r, most))
	if err != nil {
		return badInput("reading the body: %w", err)
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return nil
	}
	if body[0] != '{' || !utf8.Valid(body) {
		return badInput("the body is not a JSON object in UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return badInput("the body: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return badInput("the body goes on behind its object")
	}
	return nil
}

// bounded is the body up to a length. The window's requests may have none.
func bounded(w http.ResponseWriter, r *http.Request, most int64) io.Reader {
	if r.Body == nil {
		return http.NoBody
	}
	return http.MaxBytesReader(w, r.Body, most)
}

package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"palimpsest/backend"
)

// Codes of what only this door refuses.
const (
	codeUnauthorised backend.Code = "unauthorised"
	codeForbidden    backend.Code = "forbidden"
)

// refusal is an error with a status of its own.
type refusal struct {
	status  int
	problem backend.Problem
}

func (r *refusal) Error() string { return r.problem.Message }

// unfinished is an error that came after some records were written.
type unfinished struct {
	error
	committed []int64
}

func (u *unfinished) Unwrap() error { return u.error }

// problemDocument is RFC 9457's, with the members that are ours.
type problemDocument struct {
	Type      string          `json:"type"`
	Title     string          `json:"title"`
	Status    int             `json:"status"`
	Detail    string          `json:"detail"`
	Error     backend.Problem `json:"error"`
	Committed []int64         `json:"committed,omitempty"`
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, err error) {
	status, problem := problemOf(err)
	document := problemDocument{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: problem.Message, Error: problem,
	}
	if u, ok := errors.AsType[*unfinished](err); ok {
		document.Committed = u.committed
	}
	body, err := encode(document)
	if err != nil { // strings and numbers always can be encoded
		panic(err)
	}
	send(w, status, "application/problem+json", body)
}

func problemOf(err error) (int, backend.Problem) {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.status, r.problem
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge, backend.Problem{
			Code: backend.CodeBadInput, Message: fmt.Sprintf("the body is longer than %d bytes", tooLarge.Limit),
			Hint: "nothing was changed; send it in several requests",
		}
	}
	problem := backend.ProblemOf(err)
	switch problem.Code {
	case backend.CodeInvalidID, backend.CodeBadInput:
		return http.StatusBadRequest, problem
	case backend.CodeNotFound:
		return http.StatusNotFound, problem
	case backend.CodeBusy, backend.CodeStale, backend.CodeRefused:
		return http.StatusConflict, problem
	case backend.CodeOverflow:
		return http.StatusUnprocessableEntity, problem
	case backend.CodeNoModel:
		return http.StatusServiceUnavailable, problem
	case backend.CodeFailed:
	}
	return http.StatusInternalServerError, problem
}

// respond answers with JSON.
func respond(w http.ResponseWriter, status int, value any) error {
	body, err := encode(value)
	if err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	send(w, status, "application/json", body)
	return nil
}

const linesType = "application/x-ndjson"

func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	err := encoderTo(&out).Encode(value)
	return out.Bytes(), err
}

// encoderTo leaves <, > and & as they are: they would take six bytes each, and a page has a bound.
func encoderTo(out *bytes.Buffer) *json.Encoder {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder
}

func send(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // who does not listen any more need not be told
}

package llm

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Servers say the same thing in many ways. Patterns are matched against lower case.
var (
	overflowing = regexp.MustCompile(strings.Join([]string{
		`context_length_exceeded`,                           // OpenAI and those who follow it
		`exceed_context_size`,                               // llama.cpp
		`maximum context length`,                            // OpenAI, vLLM, OpenRouter, Mistral
		`maximum model length`,                              // vLLM
		`context length of only`,                            // LM Studio
		`tokens to keep from the initial prompt is greater`, // LM Studio
		`exceed\w* (the |its |max |maximum |available |model'?s? |this )*context`, // llama.cpp, Ollama, OpenAI
		`context (window|length|size) (has been |was |is )?exceed`,
		`context_window_exceeded`,
		`larger than the max(imum)? context`,            // llama.cpp of old
		`(reached|greater than the) context length`,     // LM Studio, also in the middle of an answer
		`(prompt|input|request) (is )?too (long|large)`, // Anthropic, Bedrock, Ollama
		`request_too_large`,
		`input token count.* exceeds`,                             // Gemini
		`prompt token count of .* exceeds the limit`,              // Copilot
		`maximum prompt length is`,                                // xAI
		`reduce the length of (the|your) (messages|prompt|input)`, // Groq
		`exceeded model token limit`,                              // Kimi
		`too many tokens`,
	}, "|"))
	throttling = regexp.MustCompile(strings.Join([]string{
		`rate[ _]?limit`, `too many requests`, `(tokens|requests) per min`, `throttl`, `please wait`, `slow down`,
		`(retry|try again) (in|after) \d`,
	}, "|"))
	spent = regexp.MustCompile(`quota|billing|credit|insufficient.balance|payment`)
	// Of a request that shows images to a model that takes none.
	blind = regexp.MustCompile(strings.Join([]string{
		`image input is not supported`, // llama.cpp, with 500
		`support image`,                // OpenRouter, Groq, LM Studio: "does not support images"
		`image_url is only supported`,  // OpenAI
		`not a multimodal model`,       // vLLM
		"unknown variant `image_url`",  // DeepSeek
		`(image|vision|multimodal)\w*( \w+){0,3} not (supported|enabled|available)`,
	}, "|"))
	daily = regexp.MustCompile(`per[ _-]day`)
)

// classify judges a failure by what the server says and then by its status. Throttling comes before overflow, since
// "too many tokens per minute, please wait" is cured by waiting, and before money, since rate limits come with the
// advice to add credit.
func classify(status int, s said) Class {
	text := s.judged()
	money := status == 0 || slices.Contains([]int{http.StatusPaymentRequired, http.StatusForbidden, http.StatusTooManyRequests}, status)
	switch {
	case strings.Contains(text, "insufficient_quota"):
		return ClassRefused
	case throttling.MatchString(text) && !(money && daily.MatchString(text) && spent.MatchString(text)):
		return ClassThrottled
	case money && spent.MatchString(text):
		return ClassRefused
	case status == http.StatusTooManyRequests:
		return ClassThrottled
	case blind.MatchString(text):
		return ClassRefused
	case status == http.StatusRequestEntityTooLarge, overflowing.MatchString(text):
		return ClassOverflow
	}
	return byStatus(status)
}

func byStatus(status int) Class {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return ClassAuth
	case status == http.StatusRequestTimeout, status >= 500, status == 0:
		return ClassNetwork
	}
	return ClassRefused
}

var missingModel = regexp.MustCompile(`model_not_found|model\b.*(not found|not exist|no such|unknown|not a valid|not loaded)`)

// failed makes the error of a failure that the server has words for. A status of 0 is that of a failure in the middle
// of an answer that names none.
func (c *Client) failed(status int, s said, model string) *Error {
	e := &Error{Class: classify(status, s), Status: status}
	who, words := c.endpoint.Provider(), harmless(s.message, c.endpoint.Key)
	if words == "" {
		words = strings.ToLower(http.StatusText(status))
	}
	switch {
	case s.page && status < http.StatusInternalServerError && e.Class != ClassOverflow:
		e.Message = fmt.Sprintf("%s answered%s with a page, not with JSON: is the address right?", who, number(status))
	case s.page:
		e.Message = fmt.Sprintf("%s answered%s with a page, not with JSON: %s", who, number(status), words)
	case e.Class == ClassRefused && missingModel.MatchString(s.judged()):
		e.Message = fmt.Sprintf("%s has no model %.100q (%d): %s", who, model, status, words)
	case status == http.StatusNotFound:
		e.Message = fmt.Sprintf("%s answered 404: %s: is the address right?", who, words)
	default:
		e.Message = fmt.Sprintf("%s answered%s: %s", who, number(status), words)
	}
	switch {
	case e.Class != ClassAuth:
	case c.endpoint.Key == "":
		e.Message += " (no key was sent)"
	case c.options.Refused != nil:
		c.options.Refused(c.endpoint.Key)
	}
	return e
}

func number(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprintf(" %d", status)
}

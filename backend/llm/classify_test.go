package llm

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func openAIError(message, code string) string {
	return fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error","param":null,"code":%q}}`, message, code)
}

// The words are those of real servers.
var failures = []struct {
	name   string
	status int
	body   string
	class  Class
	says   string
}{
	{"OpenAI overflow", 400, openAIError("This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", "context_length_exceeded"), ClassOverflow, "8192"},
	{"OpenAI overflow by code alone", 400, openAIError("too big", "context_length_exceeded"), ClassOverflow, "too big"},
	{"OpenAI newer words", 400, `{"error":{"message":"Your input exceeds the context window of this model."}}`, ClassOverflow, "context window"},
	{"llama.cpp by type", 400, `{"error":{"code":400,"message":"no","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}`, ClassOverflow, "400"},
	{"llama.cpp by words", 400, `{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size"}}`, ClassOverflow, "available"},
	{"llama.cpp, server's fault", 500, `{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}`, ClassOverflow, "500"},
	{"llama.cpp of old", 400, `{"error":{"code":400,"message":"input is larger than the max context size. skipped"}}`, ClassOverflow, "skipped"},
	{"Azure", 400, openAIError("This model's maximum context length is 8192 tokens, however you requested 9001 tokens (8001 in your prompt; 1000 for the completion).", ""), ClassOverflow, "9001"},
	{"OpenAI, configured limit", 400, openAIError("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300011 tokens. Please reduce the length of the messages.", ""), ClassOverflow, "300011"},
	{"LM Studio, in the middle", 400, `{"error":"Reached context length of 4096 tokens with this model, but this model does not currently support mid-generation context overflow."}`, ClassOverflow, "4096"},
	{"Ollama's cloud", 400, `{"error":{"message":"prompt too long; exceeded max context length by 8 tokens","type":"api_error"}}`, ClassOverflow, "by 8"},
	{"vLLM", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","code":400}`, ClassOverflow, "4096"},
	{"vLLM newer", 400, `{"error":{"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096."}}`, ClassOverflow, "4096"},
	{"LM Studio window", 400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}`, ClassOverflow, "only 4096"},
	{"LM Studio keep", 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length"}`, ClassOverflow, "keep"},
	{"OpenRouter", 400, `{"error":{"message":"This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens.","code":400}}`, ClassOverflow, "32768"},
	{"OpenRouter, behind it Anthropic", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"type\":\"error\",\"error\":{\"message\":\"prompt is too long: 210000 tokens > 200000 maximum\"}}"}}}`, ClassOverflow, "210000"},
	{"Anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, ClassOverflow, "210000"},
	{"Gemini, in a list", 400, `[{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}]`, ClassOverflow, "400: The input token count"},
	{"Ollama", 400, `{"error":{"message":"input length exceeds maximum context length"}}`, ClassOverflow, "input length"},
	{"413", 413, ``, ClassOverflow, "413"},
	{"413 of a proxy", 413, `<html>413</html>`, ClassOverflow, "page"},
	{"overflow words on 404", 404, openAIError("maximum context length is 10", ""), ClassOverflow, "10"},
	{"overflow words on 429 are no overflow", 429, openAIError("maximum context length is 10", ""), ClassThrottled, "429"},

	{"429", 429, `{"error":{"message":"Slower"}}`, ClassThrottled, "Slower"},
	{"Bedrock's throttling", 400, `{"message":"ThrottlingException: Too many tokens, please wait before trying again."}`, ClassThrottled, "wait"},
	{"tokens per minute", 413, openAIError("too many tokens per minute, please wait", "rate_limit_exceeded"), ClassThrottled, "minute"},
	{"OpenAI's advice to pay", 429, openAIError("Rate limit reached for gpt-4 on tokens per min (TPM): Limit 10. Please try again in 6s. You can increase your rate limit by adding a payment method at https://platform.openai.com/account/billing.", "rate_limit_exceeded"), ClassThrottled, "billing"},
	{"Azure's advice to pay", 429, openAIError("exceeded token rate limit. Please retry after 6 seconds. Go to https://aka.ms/oai/quotaincrease", "429"), ClassThrottled, "retry"},
	{"throttled in the server's own word", 503, `{"error":"rate limit"}`, ClassThrottled, "503"},

	{"OpenAI quota", 429, openAIError("You exceeded your current quota, please check your plan and billing details.", "insufficient_quota"), ClassRefused, "quota"},
	{"quota by code alone", 429, openAIError("no", "insufficient_quota"), ClassRefused, "429"},
	{"quota by code, whatever the words", 429, openAIError("Rate limit reached", "insufficient_quota"), ClassRefused, "Rate limit"},
	{"billing", 429, openAIError("Your billing is not active", ""), ClassRefused, "billing"},
	{"credit", 402, `{"error":{"message":"Insufficient credits","code":402}}`, ClassRefused, "credits"},
	{"402 without words", 402, ``, ClassRefused, "payment required"},
	{"403 and money", 403, `{"error":"add credit"}`, ClassRefused, "credit"},
	{"today's are spent", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits"}}`, ClassRefused, "credits"},

	{"401", 401, openAIError("Incorrect API key provided: "+testKey, "invalid_api_key"), ClassAuth, "[key]"},
	{"403", 403, `{"error":"no"}`, ClassAuth, "403"},
	{"400", 400, `{"detail":"temperature: no"}`, ClassRefused, "temperature: no"},
	{"422 in FastAPI's words", 422, `{"detail":[{"loc":["body"],"msg":"field required","type":"missing"}]}`, ClassRefused, "field required"},
	{"404 of an address", 404, `404 page not found`, ClassRefused, "is the address right?"},
	{"404 of a model, OpenAI", 404, openAIError("The model `m` does not exist or you do not have access to it.", "model_not_found"), ClassRefused, `has no model "m"`},
	{"404 of a model, Ollama", 404, `{"error":{"message":"model \"m\" not found, try pulling it first"}}`, ClassRefused, `has no model "m"`},
	{"400 of a model, OpenRouter", 400, `{"error":{"message":"m is not a valid model ID","code":400}}`, ClassRefused, `400`},
	{"no tools", 400, `{"error":{"message":"m does not support tools"}}`, ClassRefused, "tools"},
	{"no words", 400, ``, ClassRefused, "bad request"},
	{"words that are no sentence", 400, `{"strange":1}`, ClassRefused, "strange"},
	{"a page", 404, "<!DOCTYPE html>\n<html><body>secret of the house</body></html>", ClassRefused, "answered 404 with a page, not with JSON: is the address right?"},
	{"harmful words", 400, "{\"error\":\"a\\u001b[31m\\r\\nb\\u202e \\u0000c\"}", ClassRefused, "a [31m b c"},

	{"500", 500, `{"error":{"message":"oops"}}`, ClassNetwork, "oops"},
	{"still loading", 503, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`, ClassNetwork, "Loading model"},
	{"502 of a proxy", 502, "<html>bad</html>", ClassNetwork, "502 with a page, not with JSON: bad gateway"},
	{"408", 408, ``, ClassNetwork, "408"},
	{"529", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, ClassNetwork, "Overloaded"},
}

func TestFailuresAreClassed(t *testing.T) {
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			c, w := served(t, fails(f.status, f.body))
			_, handed, err := asked(t, c, question())
			wantError(t, err, f.class, f.says)
			if strings.Contains(err.Error(), "secret of the house") {
				t.Errorf("shows the page: %v", err)
			}
			want := 0
			if f.class == ClassNetwork || f.class == ClassThrottled {
				want = maxRetries
			}
			if len(w.list) != want || len(handed) != want {
				t.Errorf("%d retries, %q announced, want %d", len(w.list), handed, want)
			}
			var e *Error
			if e = asError(t, err); e.Status != f.status {
				t.Errorf("status %d, want %d", e.Status, f.status)
			}
		})
	}
}

func TestFailureInTheMiddleIsClassed(t *testing.T) {
	for name, c := range map[string]struct {
		data   string
		class  Class
		status int
	}{
		"OpenAI's":            {`{"error":{"message":"The server had an error","type":"server_error","code":null}}`, ClassNetwork, 0},
		"a string":            {`{"error":"out of memory"}`, ClassNetwork, 0},
		"OpenRouter's":        {`{"id":"g","error":{"code":429,"message":"Provider returned error"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`, ClassThrottled, 429},
		"vLLM's":              {`{"object":"error","message":"maximum context length is 10","type":"BadRequestError","code":400}`, ClassOverflow, 400},
		"without a status":    {`{"error":{"message":"context size has been exceeded"}}`, ClassOverflow, 0},
		"of a key":            {`{"error":{"message":"no","code":401}}`, ClassAuth, 401},
		"of money":            {`{"error":{"message":"insufficient credits"}}`, ClassRefused, 0},
		"with a code as text": {`{"error":{"message":"no","code":"400"}}`, ClassRefused, 400},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := served(t, raw(": a comment\n\ndata: "+say("so far")+"\n\nevent: error\ndata: "+c.data+"\n\n"))
			answer, handed, err := asked(t, client, question())
			wantError(t, err, c.class)
			if answer.Text != "so far" || len(handed) != 1 || answer.Stop != "" {
				t.Errorf("answer %+v, handed %q", answer, handed)
			}
			if e := asError(t, err); e.Status != c.status {
				t.Errorf("status %d, want %d", e.Status, c.status)
			}
		})
	}
}

func TestFailureWithoutAKeySaysSo(t *testing.T) {
	c, _ := served(t, fails(http.StatusUnauthorized, `{"error":"who are you"}`))
	_, err := New(Endpoint{BaseURL: c.endpoint.BaseURL}, Options{}).Stream(t.Context(), question(), nil)
	wantError(t, err, ClassAuth, "no key was sent")
}

func TestShortKeysAreNoSecret(t *testing.T) {
	if got := harmless("ollama is down", "ollama"); got != "ollama is down" {
		t.Errorf("%q", got)
	}
	if got := harmless("key "+testKey+"x", testKey); got != "key [key]x" {
		t.Errorf("%q", got)
	}
	if got := harmless(strings.Repeat("é", 600), ""); got != strings.Repeat("é", maxWords-1)+"…" {
		t.Errorf("cut to %d characters", len([]rune(got)))
	}
}

package secrets

// shape is how a service writes its keys: what they begin with, and how many characters follow at least. That is less than is documented
// where keys have had several lengths, and never so little that words have it.
type shape struct {
	prefix string
	least  int
	// also are the characters besides letters and digits that keys have.
	also string
}

var shapes = []shape{
	// Anthropic, OpenAI, and those that write theirs as OpenAI does.
	{"sk-ant-", 20, "-_"},
	{"sk-proj-", 20, "-_"},
	{"sk-svcacct-", 20, "-_"},
	{"sk-admin-", 20, "-_"},
	{"sk-or-v1-", 32, ""},
	{"sk-", 20, ""},
	// Groq, xAI, Perplexity, Replicate, NVIDIA, Hugging Face.
	{"gsk_", 40, ""},
	{"xai-", 60, ""},
	{"pplx-", 40, ""},
	{"r8_", 37, ""},
	{"nvapi-", 50, "-_"},
	{"hf_", 30, ""},
	// AWS, whose keys have one length; Google.
	{"AKIA", awsLength, ""},
	{"ASIA", awsLength, ""},
	{"AIza", 35, "-_"},
	{"ya29.", 30, "-_."},
	{"GOCSPX-", 28, "-_"},
	// GitHub, GitLab.
	{"ghp_", 36, ""},
	{"gho_", 36, ""},
	{"ghu_", 36, ""},
	{"ghs_", 36, "-_."},
	{"ghr_", 36, ""},
	{"github_pat_", 50, "_"},
	{"glpat-", 20, "-_."},
	{"glptt-", 20, "-_"},
	{"gldt-", 20, "-_"},
	{"glrt-", 20, "-_."},
	{"glcbt-", 20, "-_"},
	// Slack, Stripe.
	{"xoxa-", 20, "-"},
	{"xoxb-", 20, "-"},
	{"xoxp-", 20, "-"},
	{"xoxr-", 20, "-"},
	{"xoxs-", 20, "-"},
	{"xoxe-", 20, "-"},
	{"xapp-", 30, "-"},
	{"sk_live_", 20, ""},
	{"rk_live_", 20, ""},
	{"sk_test_", 20, ""},
	{"rk_test_", 20, ""},
	{"whsec_", 24, "+/="},
	// npm, PyPI, RubyGems, Docker.
	{"npm_", 36, ""},
	{"pypi-", 50, "-_"},
	{"rubygems_", 40, ""},
	{"dckr_pat_", 27, "-_"},
	// SendGrid, DigitalOcean, Shopify, Linear, Vault, Notion, Figma, Grafana, age.
	{"SG.", 60, "-_."},
	{"dop_v1_", 64, ""},
	{"shpat_", 32, ""},
	{"lin_api_", 40, ""},
	{"hvs.", 24, "-_"},
	{"ntn_", 40, ""},
	{"figd_", 40, "-_"},
	{"glsa_", 32, "_"},
	{"AGE-SECRET-KEY-1", 58, ""},
	// Addresses that whoever knows them may write to.
	{"https://hooks.slack.com/services/", 40, "/"},
	{"https://discord.com/api/webhooks/", 80, "/-_"},
}

// awsLength is that of an id of AWS behind its prefix, no more and no less.
const awsLength = 16

// byFirst are the shapes by the first byte of their prefix.
var byFirst = func() (by [256][]shape) {
	for _, s := range shapes {
		by[s.prefix[0]] = append(by[s.prefix[0]], s)
	}
	return by
}()

func alnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

package secrets

import (
	"strings"
	"testing"
)

const r = Removed

// made are what services could have made; none of them ever was.
var (
	letters36 = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
	letters40 = "aB3dE6gH9jK2/N5pQ8sT1vW4yZ7bC0eF3hJ6kL+q"
	letters93 = strings.Repeat("aB3-dE6_gH9", 9)[:93]
	webOne    = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
	keyLines  = strings.Repeat("MIIEowIBAAKCAQEA7bq9aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kLqR5tXv\n", 3) + "aB3dE6gH9w==\n"
)

// keys are secrets that have a shape of their own.
func keys() map[string]string {
	return map[string]string{
		"anthropic": "sk-ant-api03-" + letters93 + "AA", "openai": "sk-proj-" + letters93, "openai of old": "sk-" + letters36, "aws": "AKIAJ3KQ5MZ7TRWX2PLN",
		"aws for a while": "ASIAJ3KQ5MZ7TRWX2PLN", "github": "ghp_" + letters36, "github oauth": "gho_" + letters36, "github app": "ghs_" + letters36,
		"github fine": "github_pat_11AB3dE6gH9jK2mN5pQ8sT_" + letters36 + letters36[:23], "gitlab": "glpat-" + letters36[:20], "slack": "xoxb-123456789012-123456789012-" + letters36[:24],
		"slack user": "xoxp-123456789012-" + letters36[:24], "google": "AIza" + letters36[:35], "google oauth": "ya29.a0" + letters36, "npm": "npm_" + letters36,
		"pypi": "pypi-AgEIcHlwaS5vcmc" + letters36, "hugging face": "hf_" + strings.Repeat("aBcDeFgHiJ", 4)[:34], "stripe": "sk_live_" + letters36[:24],
		"stripe restricted": "rk_live_" + letters36[:24], "web token": webOne, "groq": "gsk_" + letters36 + letters36[:16], "openrouter": "sk-or-v1-" + strings.Repeat("0a1b2c3d", 8),
		"slack hook": "https://hooks.slack.com/services/T0AB3DE6G/B0GH9JK2M/" + letters36[:24], "discord hook": "https://discord.com/api/webhooks/123456789012345678/" + letters93[:68],
	}
}

func TestShapes(t *testing.T) {
	for name, key := range keys() {
		for in, want := range map[string]string{
			key: r, "(" + key + ")": "(" + r + ")", "a " + key + ".": "a " + r + ".", `\n` + key + `\n`: `\n` + r + `\n`,
			"\x1b[32m" + key + "\x1b[0m": "\x1b[32m" + r + "\x1b[0m", "?q=%20" + key: "?q=%20" + r, "— " + key + " —": "— " + r + " —",
		} {
			if got, n := Strip(in); got != want || n != 1 {
				t.Errorf("%s: %q is %q (%d)", name, in, got, n)
			}
		}
	}
}

func TestNamed(t *testing.T) {
	for in, want := range map[string]string{
		// Headers.
		"Authorization: Bearer abc123def456":                       "Authorization: Bearer " + r,
		"authorization: Basic dXNlcjpwYXNz":                        "authorization: Basic " + r,
		"Proxy-Authorization: Basic dXNlcjpwYXNz\r\nHost: a":       "Proxy-Authorization: Basic " + r + "\r\nHost: a",
		`{"authorization":"Bearer abc123def456","a":"b"}`:          `{"authorization":"Bearer ` + r + `","a":"b"}`,
		`"{\"authorization\": \"Bearer abc123def456\", \"a\": 1}"`: `"{\"authorization\": \"Bearer ` + r + `\", \"a\": 1}"`,
		`curl -H 'Authorization: Bearer abc123def456' https://x`:   `curl -H 'Authorization: Bearer ` + r + `' https://x`,
		`curl -H "X-Api-Key: abc123def456" https://x`:              `curl -H "X-Api-Key: ` + r + `" https://x`,
		`map[Authorization:[Bearer abc123def456] Host:[a]]`:        `map[Authorization:[Bearer ` + r + `] Host:[a]]`,
		"Cookie: a=b1; c=d2\nHost: a":                              "Cookie: " + r + "\nHost: a",
		"Set-Cookie: sid=ab12; Path=/; HttpOnly":                   "Set-Cookie: " + r,
		`"set-cookie": "sid=ab12; Path=/",`:                        `"set-cookie": "` + r + `",`,
		"PRIVATE-TOKEN: abc123def456":                              "PRIVATE-TOKEN: " + r,
		// Environments.
		"OPENAI_API_KEY=abcdefgh":                         "OPENAI_API_KEY=" + r,
		"export GH_TOKEN=abcdefgh":                        "export GH_TOKEN=" + r,
		"HOME=/root\nDB_PASSWORD=hunter,2)x\nPWD=/w":      "HOME=/root\nDB_PASSWORD=" + r + "\nPWD=/w",
		"PGPASSWORD=hunter2 psql -h db":                   "PGPASSWORD=" + r + " psql -h db",
		`docker run -e APP_SECRET=abcdefgh image`:         `docker run -e APP_SECRET=` + r + ` image`,
		`AWS_SECRET_ACCESS_KEY="` + letters40 + `"`:       `AWS_SECRET_ACCESS_KEY="` + r + `"`,
		`"A=1\nAPP_CREDENTIALS=abcdefgh\nB=2"`:            `"A=1\nAPP_CREDENTIALS=` + r + `\nB=2"`,
		`{"MY_PASSWD": "abcdefgh"}`:                       `{"MY_PASSWD": "` + r + `"}`,
		"DB_PASSWORD: hunter22":                           "DB_PASSWORD: " + r,
		"  api_key: 3fa85f6457174562b3fc2c963f66afa6":     "  api_key: " + r,
		"password = 'correct horse'":                      "password = '" + r + "'",
		`clientSecret: "a8Q~x.yz12",`:                     `clientSecret: "` + r + `",`,
		`"secretAccessKey":"` + letters40 + `"`:           `"secretAccessKey":"` + r + `"`,
		"https://x/?access_token=abc123def456&a=1":        "https://x/?access_token=" + r + "&a=1",
		"postgres://app:s3cr3t@db:5432/app":               "postgres://app:" + r + "@db:5432/app",
		"AKIAJ3KQ5MZ7TRWX2PLN," + letters40 + "\n":        r + "," + r + "\n",
		"//registry.npmjs.org/:_authToken=abcdef123456":   "//registry.npmjs.org/:_authToken=" + r,
		`KEY_FILE=x` + "\n" + `SIGNING_KEY='abcdefgh'`:    `KEY_FILE=x` + "\n" + `SIGNING_KEY='` + r + `'`,
		"machine x login y\npassword: abcdef123456":       "machine x login y\npassword: " + r,
		`DATABASE_URL=mysql://root:toor@localhost/db?x=1`: `DATABASE_URL=mysql://root:` + r + `@localhost/db?x=1`,
		`a="b" TOKEN="unclosed1234`:                       `a="b" TOKEN="` + r,
		"postgres://app:p@s@s@db:5432/app":                "postgres://app:" + r + "@db:5432/app",
		"mysql --password=hunter2 -u root":                "mysql --password=" + r + " -u root",
		`API_TOKEN="Token abc12345"`:                      `API_TOKEN="` + r + `"`,
		"https://x/badge.svg?token=MQZTEA1QWT":            "https://x/badge.svg?token=" + r,
		// Commands.
		"curl -u admin:hunter2 https://x/a":                "curl -u admin:" + r + " https://x/a",
		"curl -sS --user 'admin:hun ter2' https://x":       "curl -sS --user 'admin:" + r + "' https://x",
		`curl -X POST --user="me@a.b:pw" https://x`:        `curl -X POST --user="me@a.b:` + r + `" https://x`,
		"curl https://x \\\n  -u admin:hunter2 \\\n  -d x": "curl https://x \\\n  -u admin:" + r + " \\\n  -d x",
		`{"command":"curl -u \"a:b12\" https://x"}`:        `{"command":"curl -u \"a:` + r + `\" https://x"}`,
		"$ mysql -u root -psecret db":                      "$ mysql -u root -p" + r + " db",
		"mysqldump -uroot -p'hun ter2' db > x":             "mysqldump -uroot -p'" + r + "' db > x",
		"mariadb -h db -phunter2":                          "mariadb -h db -p" + r,
		"curl -sSu admin:hunter2 https://x":                "curl -sSu admin:" + r + " https://x",
		"curl.exe -kuadmin:hunter2 https://x":              "curl.exe -kuadmin:" + r + " https://x",
		"curl --user admin:'hun ter2' https://x":           "curl --user admin:'" + r + "' https://x",
		"curl -u admin:\"hunter2\"":                        "curl -u admin:\"" + r + "\"",
		"curl --proxy-user a:hunter2 https://x":            "curl --proxy-user a:" + r + " https://x",
		"curl -U a:hunter2 -x p:80 https://x":              "curl -U a:" + r + " -x p:80 https://x",
		"curl -u a:pw1 -U 'b:pw2' https://x; mysql -ppw3":  "curl -u a:" + r + " -U 'b:" + r + "' https://x; mysql -p" + r,
		`{"c":"curl -U \"a:b12\" -u \"c:d34\" https://x"}`: `{"c":"curl -U \"a:` + r + `\" -u \"c:` + r + `\" https://x"}`,
		"mysql.exe -phunter2 db":                           "mysql.exe -p" + r + " db",
		"sshpass -p hunter2 ssh a@b":                       "sshpass -p " + r + " ssh a@b",
		"PGPASSWORD=secret psql -h db":                     "PGPASSWORD=" + r + " psql -h db",
		`MYSQL_PWD="secret" mysql`:                         `MYSQL_PWD="` + r + `" mysql`,
		// Settings without quotes.
		"db:\n  host: db.example.net\n  password: swordfish\n": "db:\n  host: db.example.net\n  password: " + r + "\n",
		"password: hunter2 # of the old one\nport: 5432":       "password: " + r + " # of the old one\nport: 5432",
		"- secret: s3same\n  name: it":                         "- secret: " + r + "\n  name: it",
		// Numbers.
		`{\"password\":12345678,\"a\":1}`: `{\"password\":` + r + `,\"a\":1}`,
		"'secret': 424242\n":              "'secret': " + r + "\n",
	} {
		if got, n := Strip(in); got != want || n == 0 {
			t.Errorf("%q\n is %q (%d)", in, got, n)
		}
	}
}

func TestPrivateKeys(t *testing.T) {
	for _, kind := range []string{"", "RSA ", "OPENSSH ", "EC "} {
		begin, end := "-----BEGIN "+kind+"PRIVATE KEY-----", "-----END "+kind+"PRIVATE KEY-----"
		quoted := "> " + strings.ReplaceAll(keyLines, "\n", "\n> ")
		for in, want := range map[string]string{
			begin + "\n" + keyLines + end + "\nx":                                                   begin + "\n" + r + "\n" + end + "\nx",
			`"` + begin + strings.ReplaceAll("\n"+keyLines, "\n", `\n`) + end + `\n"`:               `"` + begin + `\n` + r + `\n` + end + `\n"`,
			"> " + begin + "\n" + quoted + end:                                                      "> " + begin + "\n> " + r + "\n> " + end,
			begin + "\nProc-Type: 4,ENCRYPTED\n\n" + keyLines + end:                                 begin + "\n" + r + "\n" + end,
			begin + "\n" + keyLines[:150]:                                                           begin + "\n" + r,
			"x\n" + keyLines + end:                                                                  "x\n" + r + "\n" + end,
			"A_PRIVATE_KEY=\"" + begin + " " + strings.ReplaceAll(keyLines, "\n", " ") + end + "\"": "A_PRIVATE_KEY=\"" + begin + " " + r + " " + end + "\"",
		} {
			if got, n := Strip(in); got != want || n != 1 {
				t.Errorf("%q\n is %q (%d)", in, got, n)
			}
		}
	}
}

func TestWhatIsNoSecret(t *testing.T) {
	for _, text := range []string{
		"", "plain words, and 12 of them: so it is", "04fdb96a1b2c3d4e5f60718293a4b5c6d7e8f901", "123e4567-e89b-12d3-a456-426614174000",
		"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "sha512-" + letters40 + letters40 + "==",
		"OPENAI_API_KEY=", "OPENAI_API_KEY=$TOKEN", "OPENAI_API_KEY=<your key>", "API_KEY=xxxxxxxx", "API_KEY=***", "API_KEY=your-api-key", "API_KEY=${{ secrets.KEY }}",
		"token = getToken()", "TOKEN=$(cat file)", "token := os.Getenv(\"TOKEN\")", "password: string", "password: str = None", "apiKey: process.env.OPENAI_API_KEY,",
		"const token = await fetchToken2(user1234)", "MAX_TOKEN=4096", "max_tokens: 128000", `"input_tokens":12345678`, `"total_tokens": 3`, "USE_TOKEN=true",
		`"key": "Enter"`, "key: abc12345", "SSH_KEY=~/.ssh/id_rsa", "GOOGLE_APPLICATION_CREDENTIALS=/home/x/key.json", "PRIMARY_KEY=id12345678",
		"PWD=/home/x/project1", "OLDPWD=/w/a1b2c3d4", "Authorization: Bearer $TOKEN", `-H "Authorization: Bearer ${TOKEN}"`, "Authorization: Bearer <token>",
		"Authorization: required for every request of 2024", `headers["Authorization"] = "Bearer " + token1234`, "cookie: document.cookie", "Cookie: the browser sends a=b",
		"sk-circle-fade-dot-1", "sk-ant-...", "sk-ant-api03-your-key-here-and-nothing-else", "ghp_" + strings.Repeat("x", 36), "AKIAIOSFODNN7EXAMPLE", "task-" + letters36,
		"http://localhost:8080/a@b", "git@github.com:a/b.git", "ssh://git@github.com:22/a", "https://user:password@host", "postgres://$USER:$PASSWORD@host/db", "http://a:b c@d",
		"-----BEGIN PUBLIC KEY-----\n" + keyLines + "-----END PUBLIC KEY-----", `strings.Contains(s, "-----BEGIN RSA PRIVATE KEY-----")`, "eyJhbGciOiJIUzI1NiJ9",
		"npm_config_registry=https://registry.npmjs.org", "std::token::abc12345678", "type Token struct { Text string }", "tokenizer: cl100k_base", "next_page_token: abc12345678",
		`<input type="password" name="password">`, "the password: it is in the vault", `"password": "password"`, "hf_transfer", "Secret: Santa", ".. _`Access Token`: https://example.com/rfc6749", "ACCESS_TOKEN=https://example.com/token1", `"with a password": "abc12345"`,
		`"forgotPassword": "Forgot password?"`, `password: "A password must have at least 8 characters"`, `INVALID_TOKEN = "invalid_token"`, `const API_KEY = "API_KEY";`,
		"if token == TOKEN_TYPE_12345 {", "case token == token.IDENT12:", `{"token": "keyword.control2"}`, "token: 'color.blue.500'", `secret: "projects/123456/secrets/one"`,
		`S3_KEY = "uploads/2024/file1.png"`, "REDIS_KEY=user:1234:profile", `QUERY_KEY: "todos-v2-app"`, "mysql --password=PASSWORD", "--password=$PASS",
		"Cookie: theme=dark", "Cookie: theme=dark; lang=en-US", "Set-Cookie: theme=dark; Path=/; Max-Age=31536000; HttpOnly", `"cookie": "consent=true",`,
		"token: identifier1234,", "token: fetchToken2", "Token: sha256Token2", "token: TOKEN_TYPE_12345", "apiKey: firstOfKeys12,", "token = user1234", "accessToken: $accessToken1",
		"curl -u admin: https://x", "curl -u \"admin:\" \"https://x\"", "curl -u admin:'' https://x", "password: swordfish", "user: Benutzer\npassword: Passwort\n", "name: string\npassword: string\nport: 12", "host: a.b,\npassword: input,\n", "port: 80\npassword: cfg.Password", "username: a1\npassword: required", "host: localhost\npassword: *anchor", "curl -out a:b12", "curl --proxy-user $A:$B x -U a:", "curl -u a:$B; sort -U a:b12", "curl.example -u a:b12", "curl -u admin:'$PASS' x", "curl -u $USER:$PASS https://x", "curl -u user:password https://x", "curl -u <user>:<pass> https://x", "tar -u a:b1", "curl --user-agent a:b1 https://x",
		"curl -u \"${A}:${B}\" https://x", "curl https://x | sort -u a:b12", "mysql -p db", "mysql -p$PASS db", "mysql -pPASSWORD", "mkdir -psecret", "mysql -u root -P3306", "cat mysql.txt; cp -path12 x", "sshpass -p \"$PASS\" ssh", "sshpass -e ssh a@b -p 2222",
		"PGPASSWORD=password", "PGPASSWORD=" + r, `"Password": 80558,`, "PGPASSWORD=$PASS", `"token": 15496,`, `"token": 1767348000`, `"secret": 1`, "token: 123456789012,", `"next_token": 123456789012`,
		"Client(API_KEY=settings.API_KEY)", "SECRET_KEY=os.environ['KEY']", `WORD_TOKEN = "word"`, `NEWLINE_TOKEN = '\n'`, "API_KEY=test ./run.sh",
		"https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "https://discord.com/api/webhooks/ID/TOKEN",
	} {
		if got, n := Strip(text); got != text || n != 0 {
			t.Errorf("%q\n is %q (%d)", text, got, n)
		}
	}
}

func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"password":"hunter2","n":1.50,"b":[true, null]}`: `{"password":"` + r + `","n":1.50,"b":[true, null]}`,
		`{"set-cookie":["a=1; Path=/","b=2"],"x":"<a=1>"}`: `{"set-cookie":["` + r + `","` + r + `"],"x":"<a=1>"}`,
		`{"a":"A_TOKEN=abcdefgh\nB=\u00e9 <&> \"x\""}`:     `{"a":"A_TOKEN=` + r + `\nB=é <&> \"x\""}`,
		`{"input":"{\"api_key\":\"abc123def456\"}"}`:       `{"input":"{\"api_key\":\"` + r + `\"}"}`,
		"not JSON: A_TOKEN=abcdefgh":                       "not JSON: A_TOKEN=" + r,
		`{"Authorization" : "Bearer abc123def456"}`:        `{"Authorization" : "Bearer ` + r + `"}`,
		`[{"password":"hunter2"},"and what follows it"]`:   `[{"password":"` + r + `"},"and what follows it"]`,
		`{"password":12345678,"n":1}`:                      `{"password":"` + r + `","n":1}`,
		`{"userToken": 98765432 ,"n":12345678}`:            `{"userToken": "` + r + `" ,"n":12345678}`,
		`{"client_secret":-424242}`:                        `{"client_secret":"` + r + `"}`,
		`{"passwords":[1],"password":[123456,"hunter2"]}`:  `{"passwords":[1],"password":["` + r + `","` + r + `"]}`,
	} {
		if got, n := JSON([]byte(in)); string(got) != want || n == 0 {
			t.Errorf("%s\n is %s (%d)", in, got, n)
		}
	}
	for _, in := range []string{`{"token": 15496, "max_token": 123456789012, "token": 1767348000, "secret": 1, "password": true}`, `[{"password":null}, 12345678]`, `{"tokens": 12, "a": "\u00e9\/", "token":"","key":"abc12345"}`, `"x"`, ``, `[]`, `nothing`} {
		if got, n := JSON([]byte(in)); string(got) != in || n != 0 {
			t.Errorf("%s is %s (%d)", in, got, n)
		}
	}
}

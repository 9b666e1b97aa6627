import { expect, test } from "vitest";
import { createLogger, withoutSecrets } from "./logger.ts";

test.each([
	["postgres://energy:hunter2@db:5432/x", "postgres://energy:***@db:5432/x"],
	["connect to nats://:token@a,nats://b:4222 failed", "connect to nats://:***@a,nats://b:4222 failed"],
	["https://api.example/v1?api_key=abc&page=2", "https://api.example/v1?api_key=***&page=2"],
	["/projects?state=TX&access_token=abc", "/projects?state=TX&access_token=***"],
	["https://example.org:8080/a@b?monkey=1", "https://example.org:8080/a@b?monkey=1"],
])("%s is logged as %s", (text, logged) => expect(withoutSecrets(text)).toBe(logged));

test("a line names the service and redacts secret fields and secrets in error messages", () => {
	const lines: string[] = [];
	const log = createLogger({ name: "queue-ingest", destination: { write: (line) => lines.push(line) } });
	const headers = { authorization: "Bearer abc", "x-api-key": "abc", accept: "*/*" };
	log.error(
		{ err: new Error("no answer from postgres://u:abc@db/x"), password: "abc", request: { headers } },
		"failed",
	);
	const line = lines.join("");
	expect(line).not.toContain("abc");
	expect(JSON.parse(line)).toMatchObject({
		name: "queue-ingest",
		msg: "failed",
		request: { headers: { accept: "*/*" } },
	});
});

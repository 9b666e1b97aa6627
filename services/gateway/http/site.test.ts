import { expect, test } from "vitest";
import { siteOf } from "./site.ts";

const sent = (host: string) => siteOf(undefined, { protocol: "http", headers: { host } });

test("the address of the service is the configured one, else the one that the request was sent to", () => {
	expect(siteOf("https://api.example.com", { protocol: "http", headers: { host: "other.example" } })).toBe(
		"https://api.example.com",
	);
	expect(sent("127.0.0.1:8080")).toBe("http://127.0.0.1:8080");
	expect(sent("[::1]:8080")).toBe("http://[::1]:8080");
});

test.each(["", 'a"; rm -rf ~; "', "$(id)", "`id`", "a'b", "a b"])(
	"a host that is no address is localhost: %s",
	(host) => expect(sent(host)).toBe("http://localhost"),
);

test.each(["foo", "http://a", '"'])("a scheme other than http and https is localhost: %s", (protocol) =>
	expect(siteOf(undefined, { protocol: protocol as "http", headers: { host: "127.0.0.1" } })).toBe("http://localhost"),
);

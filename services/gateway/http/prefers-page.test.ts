import { expect, test } from "vitest";
import { prefersPage } from "./prefers-page.ts";

test.each([
	"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
	"text/html",
	"TEXT/HTML; level=1",
	"text/*",
	"application/json;q=0.5, text/html;q=0.51",
	"application/json;q=0, */*",
])("a page is preferred with Accept: %s", (accept) => {
	expect(prefersPage({ accept })).toBe(true);
});

test.each([
	undefined,
	"",
	"*/*",
	"application/json",
	"application/json, text/html",
	"application/json, text/plain, */*",
	"text/html;q=0",
	"text/html;q=0.5, application/*",
	"text/html;q=2",
	"text/html;q=x",
	"text/htmlx, ,;;,",
	"text/*, text/html;q=0",
])("JSON is preferred with Accept: %s", (accept) => {
	expect(prefersPage({ accept })).toBe(false);
});

test("several headers are one list", () => {
	expect(prefersPage({ accept: ["application/json;q=0.1", "text/html"] })).toBe(true);
});

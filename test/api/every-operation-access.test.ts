/** Walks the registry: what every operation says to a bad key, to none where one is needed, and beyond the limit. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSecret } from "#libs/contract/key.ts";
import { startWorld, type World } from "../support/world.ts";
import { ask, newKey, type Step, walk } from "./support/walk.ts";

let world: World;
/** Of a Free account that has had its requests of this minute; the clock stands still. */
let spentKey: string;
beforeAll(async () => {
	world = await startWorld({ data: "none" });
	spentKey = await newKey(world.url);
	for (let request = 1; request <= 10; request++)
		expect((await fetch(`${world.url}/plans`, { headers: { "x-api-key": spentKey } })).status).toBe(200);
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** They have a limit of their own: spending a key's requests must not keep its owner from ending it. */
const isChangeOfKeys = ({ http }: Step): boolean => http.needsKey === true && http.method === "POST";

test.each(walk)("$name refuses a key that is not good, wherever it stands", async (step) => {
	for (const key of ["pk_nonsense", makeSecret("pk_")]) {
		for (const asking of [{ key }, { query: { api_key: key } }]) {
			const response = await ask(world.url, step, asking);
			expect(response.status).toBe(403);
			expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
			const text = await response.text();
			expect(JSON.parse(text)).toEqual({ detail: expect.stringContaining("key is not valid") });
			expect(text).not.toContain(key);
		}
	}
});

test.each(walk.filter(({ http }) => http.needsKey))("$name is refused without a key", async (step) => {
	const response = await ask(world.url, step);
	expect(response.status).toBe(403);
	expect(await response.json()).toEqual({ detail: expect.stringContaining("needs an API key") });
});

test.each(walk.filter((step) => !isChangeOfKeys(step)))(
	"$name is refused beyond the limit, saying which and for how long",
	async (step) => {
		const response = await ask(world.url, step, { key: spentKey });
		expect(response.status).toBe(429);
		expect(response.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
		expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(response.headers.get("ratelimit")).toMatch(/^"minute";r=0;t=\d+$|^"minute";r=0;t=\d+, "month";r=50;t=\d+$/);
		expect(await response.json()).toEqual({
			type: expect.stringContaining("quota-exceeded"),
			title: expect.any(String),
			status: 429,
			detail: expect.stringContaining("the limit is 10"),
			"violated-policies": ["minute"],
		});
	},
);

/** The AsyncAPI document equals the one checked in, and the page about events agrees with it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { cloudEventNotes } from "#libs/contract/events/cloud-event.ts";
import { subjectOf } from "#libs/contract/events/event.ts";
import { openEvents } from "#libs/contract/index.ts";
import { asyncapiDocument } from "../../services/gateway/documents/asyncapi/asyncapi.ts";
import { startGateway, type TestGateway } from "./support/gateway.ts";
import { expectRecorded } from "./support/snapshot.ts";

let gateway: TestGateway;
beforeAll(async () => {
	gateway = await startGateway({ owner: null, settings: { NATS_PUBLIC_ADDRESS: "nats.example.com:4223" } });
});
afterAll(() => gateway?.[Symbol.asyncDispose]());

test("the published document equals the snapshot (UPDATE_SNAPSHOT=1 rewrites it)", async () => {
	await expectRecorded(asyncapiDocument(), new URL("asyncapi.snapshot.json", import.meta.url));
});

test("the document is served, with the address of NATS if it is configured", async () => {
	const response = await gateway.get("/asyncapi.json");
	expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
	const { servers, ...rest } = z.looseObject({ servers: z.unknown() }).parse(await response.json());
	expect(servers).toMatchObject({ nats: { host: "nats.example.com:4223" } });
	expect(rest).toMatchObject({ channels: asyncapiDocument().channels });
});

test("the server of its streams is the requested address: with a trusted proxy's scheme, but never its host", async () => {
	const behind = { "x-forwarded-host": "elsewhere.example", "x-forwarded-proto": "https" };
	const apiOf = async ({ get }: TestGateway) => {
		const { servers } = z
			.looseObject({ servers: z.looseObject({ api: z.looseObject({ protocol: z.string(), host: z.string() }) }) })
			.parse(await (await get("/asyncapi.json", behind)).json());
		return `${servers.api.protocol}://${servers.api.host}`;
	};
	expect(await apiOf(gateway)).toBe(gateway.url);
	await using trusting = await startGateway({ owner: null, settings: { TRUSTED_PROXIES: "127.0.0.1" } });
	expect(await apiOf(trusting)).toBe(trusting.url.replace("http:", "https:"));
	const card = await trusting.get("/.well-known/api-catalog", behind);
	expect([card.headers.get("vary"), (await card.text()).includes("elsewhere.example")]).toEqual([
		"X-Forwarded-Proto",
		false,
	]);
});

test("the page shows every event with subject, fields and example, and loads nothing from other servers", async () => {
	const page = await (await gateway.get("/docs/events")).text();
	for (const { declared } of openEvents) {
		expect(page).toContain(`<code>${subjectOf(declared)}</code>`);
		const [, details = ""] = page.split(`<summary><code>${declared.name}</code>`);
		const [own = ""] = details.split("</details>");
		const { properties = {} } = z.toJSONSchema(declared.payload);
		for (const field of Object.keys(properties)) expect(own, declared.name).toContain(`<code>${field}</code>`);
		expect(own).toContain(`Nats-Msg-Id: ${z.looseObject({ id: z.string() }).parse(declared.example).id}`);
	}
	for (const attribute of Object.keys(cloudEventNotes)) expect(page).toContain(`<code>${attribute}</code>`);
	expect(page).toContain("nats.example.com:4223");
	const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
	for (const address of new Set(named)) {
		if (address.startsWith("#")) {
			expect(page).toContain(`id="${address.slice(1)}"`);
			continue;
		}
		expect(address).toMatch(/^\/(?!\/)/);
		expect([address, (await gateway.get(address, { accept: "text/html" })).status]).toEqual([address, 200]);
	}
});

test("the endpoints page links to the events page", async () => {
	expect(await (await gateway.get("/docs")).text()).toContain('href="/docs/events"');
});

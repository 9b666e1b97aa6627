/** Paying for a tool call: by x402 as its MCP transport has it, by MPP in `_meta`, by credits in a header; each once and only once. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { PaymentRequired } from "@x402/core/types";
import { tempo } from "mppx/client";
import { McpClient } from "mppx/mcp/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { queryLimits } from "#libs/contract/databases.ts";
import { bought } from "../access/support/account.ts";
import { openTill, type Till } from "../access/support/pay.ts";
import { type Change, type Editable, signed } from "../access/support/x402.ts";
import { eventually } from "../support/eventually.ts";
import { type Connected, connect, eras, httpOf, textOf } from "./support/client.ts";

/** The largest result of a statement, and its metadata. */
const longestRows = JSON.stringify({
	data: Array.from({ length: 5 }, () => ({ text: "x".repeat(queryLimits.bytes / 5 - 12) })),
	meta: {
		database: "scoring",
		columns: [{ name: "text", type: "VARCHAR", unit: null, source: null, description: null }],
		rows: 5,
		truncated: true,
		truncated_by: "bytes",
		row_limit: queryLimits.rows,
		byte_limit: queryLimits.bytes,
		views: [],
	},
});

let till: Till;
const agents = {} as Record<(typeof eras)[number], Connected>;
beforeAll(async () => {
	till = await openTill({ query: { runStatement: async () => ({ json: longestRows as never, dataVersion: 0 }) } });
	for (const era of eras) agents[era] = await connect(till.gateways.url, { era });
});
beforeEach(() => till.reset());
afterAll(async () => {
	for (const agent of Object.values(agents)) await agent[Symbol.asyncDispose]();
	await till?.[Symbol.asyncDispose]();
});

const agent = (): Connected => agents["2026-07-28"];
const requiredIn = ({ structuredContent }: CallToolResult) => structuredContent as unknown as PaymentRequired;

/** A payment by x402 for what a tool's unpaid result asks. */
async function payFor(result: CallToolResult, change: Change = {}): Promise<Editable> {
	const payload = await signed(requiredIn(result), till.wallet.account, change, till.now().getTime());
	change.edit?.(payload);
	return payload;
}

const paying = (payment: unknown) => ({ "x402/payment": payment });

/** A delivery is recorded when the answer has gone out. */
const ledgerSays = (expected: Record<string, number>) =>
	eventually(async () => {
		expect((await till.account()).payments).toEqual(expected);
		return true;
	});

test.each(eras)(
	"an unpaid call returns x402's terms for the tool, and a paid one the response and its receipt (%s)",
	async (era) => {
		const { call } = agents[era];
		const unpaid = await call("list_projects", { state: "TX" });
		expect(unpaid.isError).toBe(true);
		expect(requiredIn(unpaid)).toEqual({
			x402Version: 2,
			error: expect.stringContaining("costs $0.01 without a key"),
			resource: { url: "mcp://tool/list_projects", description: expect.any(String), mimeType: "application/json" },
			accepts: [expect.objectContaining({ scheme: "exact", amount: "10000", network: "eip155:84532" })],
			extensions: { "payment-identifier": expect.anything() },
		});
		expect(JSON.parse(textOf(unpaid))).toEqual(unpaid.structuredContent);
		expect(httpOf(unpaid).status).toBe(402);

		const paid = await call("list_projects", { state: "TX" }, paying(await payFor(unpaid)));
		expect(paid.isError ?? false).toBe(false);
		expect(JSON.parse(textOf(paid))).toMatchObject({ run: 1, params: { state: ["TX"] } });
		expect(paid._meta?.["x402/payment-response"]).toMatchObject({
			success: true,
			network: "eip155:84532",
			payer: till.wallet.account.address,
			transaction: expect.stringMatching(/^0x/),
		});
		await till.comesTo(bought("x402"));
	},
);

test("a client that checks output schemas accepts the payment terms", async () => {
	await using knowing = await connect(till.gateways.url);
	await knowing.client.listTools();
	const unpaid = await knowing.call("list_projects");
	expect(requiredIn(unpaid).resource?.url).toBe("mcp://tool/list_projects");
});

test("a payment buys one response, however often and in whatever way it is sent", async () => {
	const payment = await payFor(await agent().call("list_projects", { state: "TX" }));
	const header = { "payment-signature": Buffer.from(JSON.stringify(payment)).toString("base64") };
	const again = await Promise.all([
		...Array.from({ length: 8 }, () => agent().call("list_projects", { state: "TX" }, paying(payment))),
		...eras.map((era) => agents[era].call("list_projects", { state: "NM" }, paying(payment))),
	]);
	await till.get("/projects?state=TX", header).then((response) => response.body?.cancel());
	expect(again.filter(({ isError }) => !isError).length).toBeLessThanOrEqual(1);
	expect(till.owner.runs).toBe(1);
	await ledgerSays({ "x402 settled, delivered": 1 });
	expect((await till.account()).charged).toEqual({ x402: 10_000 });
});

test("a client that lost the response gets it again by the payment identifier, and pays once", async () => {
	const payment = await payFor(await agent().call("list_projects"), {
		edit: ({ extensions }) =>
			Object.assign(extensions, { "payment-identifier": { info: { required: false, id: "purchase_of_an_agent_1" } } }),
	});
	const first = await agent().call("list_projects", {}, paying(payment));
	// Before that it is in use.
	await ledgerSays({ "x402 settled, delivered": 1 });
	const second = await agent().call("list_projects", {}, paying(payment));
	expect(textOf(second)).toBe(textOf(first));
	expect(second.isError ?? false).toBe(false);
	const other = await agent().call("list_projects", { state: "TX" }, paying(payment));
	expect([other.isError, httpOf(other).status]).toEqual([true, 409]);
	expect(till.owner.runs).toBe(1);
});

test("a payment for another tool, of another price or with a changed signature buys nothing", async () => {
	const ofProject = await payFor(await agent().call("get_project", { project_id: "1" }));
	const tampered = await payFor(await agent().call("list_projects"), {
		edit: ({ payload }) => (payload.authorization.value = "1"),
	});
	const otherPath = await payFor(await agent().call("list_projects"), {
		edit: (payload) => Object.assign(payload, { resource: { url: "mcp://tool/list_changes" } }),
	});
	for (const payment of [ofProject, tampered, otherPath]) {
		const refused = await agent().call("list_projects", {}, paying(payment));
		expect([refused.isError, httpOf(refused).status]).toEqual([true, 402]);
		expect(requiredIn(refused).error).toContain("not accepted");
	}
	const dearer = await agent().call("export_projects", {}, paying(ofProject));
	expect(httpOf(dearer).status).toBe(402);
	expect(till.owner.runs).toBe(0);
	expect((await till.account()).charged).toEqual({});
});

test("an invalid payment is refused with a reason, and so are two at once", async () => {
	for (const payment of ["text", 5, null, ["a"], {}, { x402Version: 1 }]) {
		const refused = await agent().call("list_projects", {}, paying(payment));
		expect([payment, refused.isError, JSON.parse(textOf(refused)).status]).toEqual([payment, true, 400]);
	}
	for (const credential of ["text", {}, { challenge: {}, payload: {} }]) {
		const refused = await agent().call("list_projects", {}, { "org.paymentauth/credential": credential });
		expect([credential, refused.isError]).toEqual([credential, true]);
		expect([400, 402]).toContain(JSON.parse(textOf(refused)).status ?? httpOf(refused).status);
	}
	const payment = await payFor(await agent().call("list_projects"));
	await using spender = await connect(till.gateways.url, { headers: await till.credits(100) });
	const both = await spender.call("list_projects", {}, paying(payment));
	expect(JSON.parse(textOf(both))).toMatchObject({
		status: 400,
		detail: expect.stringContaining("more than one payment"),
	});
	expect(till.owner.runs).toBe(0);
});

test("a failed call is not charged", async () => {
	const payment = await payFor(await agent().call("list_projects"));
	const refused = await agent().call("list_projects", { per_page: 0 }, paying(payment));
	expect(httpOf(refused).status).toBe(422);
	expect((await till.account()).charged).toEqual({});
	const paid = await agent().call("list_projects", {}, paying(payment));
	expect(paid.isError ?? false).toBe(false);
	expect((await till.account()).charged).toEqual({ x402: 10_000 });
});

test("credits in a header pay for calls", async () => {
	const credits = await till.credits(100);
	await using spender = await connect(till.gateways.url, { headers: credits });
	const paid = await spender.call("list_projects");
	expect(paid.isError ?? false).toBe(false);
	await till.comesTo(bought("card"));
	expect(JSON.parse(textOf(await spender.call("get_credits"))).balance_usd).toBe(0.99);
});

test("MPP's challenges are included with the terms, and its official MCP client pays and gets the receipt", async () => {
	const unpaid = await agent().call("list_projects");
	expect(unpaid._meta?.["org.paymentauth/payment-required"]).toMatchObject({
		httpStatus: 402,
		challenges: [{ method: "tempo", intent: "charge", request: { amount: "10000" } }],
	});
	await using payer = await connect(till.gateways.url);
	const { client, account } = till.wallet.tempo;
	McpClient.wrap(payer.client as never, { methods: [tempo.charge({ account, getClient: () => client })] });
	const paid = (await payer.client.callTool({ name: "list_projects", arguments: {} })) as CallToolResult & {
		receipt?: unknown;
	};
	expect(JSON.parse(textOf(paid))).toMatchObject({ run: 1 });
	expect(paid.receipt).toMatchObject({ status: "success", method: "tempo", challengeId: expect.any(String) });
	await till.comesTo(bought("mpp"));
});

test("an export is paid for once, and the payment covers its beginning", async () => {
	const payment = await payFor(await agent().call("export_projects"));
	const paid = await agent().call("export_projects", {}, paying(payment));
	expect([paid.isError ?? false, paid._meta?.part]).toEqual([false, expect.objectContaining({ truncated: false })]);
	expect(textOf(paid)).toContain("the end");
	expect(paid._meta?.["x402/payment-response"]).toMatchObject({ success: true });
	await till.comesTo(bought("x402", 100_000));
});

test("an export that is not text is neither sold nor charged, and the payment buys one that is", async () => {
	const unpaid = await agent().call("export_projects", { format: "parquet" });
	expect([httpOf(unpaid), JSON.parse(textOf(unpaid))]).toMatchObject([
		undefined,
		{ status: 422, errors: [{ loc: ["arguments", "format"] }] },
	]);
	const payment = await payFor(await agent().call("export_projects"));
	const refused = await agent().call("export_projects", { format: "Parquet" }, paying(payment));
	expect(JSON.parse(textOf(refused)).status).toBe(422);
	expect([till.owner.runs, (await till.account()).charged]).toEqual([0, {}]);
	const paid = await agent().call("export_projects", { format: "csv" }, paying(payment));
	expect(paid.isError ?? false).toBe(false);
	expect((await till.account()).charged).toEqual({ x402: 100_000 });
});

test.each(eras)("the longest result of a statement is delivered after payment (%s)", async (era) => {
	const { call } = agents[era];
	expect(longestRows.length).toBeGreaterThan(queryLimits.bytes);
	const statement = { sql: "select text from anything", database: "scoring" };
	const payment = await payFor(await call("run_query", statement));
	const paid = await call("run_query", statement, paying(payment));
	expect([paid.isError ?? false, textOf(paid).length]).toEqual([false, longestRows.length]);
	expect(JSON.parse(textOf(paid))).toEqual(JSON.parse(longestRows));
	expect((await till.account()).charged).toEqual({ x402: 100_000 });
});

test("with a key nothing is charged, whatever payment is sent", async () => {
	const key = await till.gateways.register();
	const payment = await payFor(await agent().call("list_projects"));
	await using holder = await connect(till.gateways.url, { headers: { "x-api-key": key } });
	const result = await holder.call("list_projects", {}, paying(payment));
	expect(result.isError ?? false).toBe(false);
	expect((await till.account()).charged).toEqual({});
});

import { expect, test } from "vitest";
import { queryLimits } from "#libs/contract/databases.ts";
import { renderNatsConfig } from "../../../deploy/engines/nats-config.ts";
import { maxJsonBytes, maxPartBytes } from "../mcp-tools/forms.ts";
import { toolName, toolsOfRegistry } from "../mcp-tools/tools.ts";
import { httpOperations } from "../registry/bindings.ts";

test("a tool is an operation in snake case", () => {
	expect(toolName("listProjects")).toBe("list_projects");
	expect(toolName("calculateTaxCredits")).toBe("calculate_tax_credits");
	expect(toolName("search")).toBe("search");
});

test("every operation that reads is a tool, and none that changes anything, sells, or is a page or a document", () => {
	const tools = toolsOfRegistry();
	const leftOut = httpOperations().filter(({ name }) => !tools.has(toolName(name)));
	const pagesAndDocuments = leftOut.filter(
		({ name, operation }) =>
			operation.mediaType !== undefined || ["getOpenapi", "getAsyncapi", "getManifestFile"].includes(name),
	);
	const others = leftOut.filter((one) => !pagesAndDocuments.includes(one)).map(({ name }) => name);
	const ofAccounts = [
		...["changeSavedQuery", "createSavedQuery", "deleteSavedQuery"],
		...["changeWatchlist", "changeWebhook", "createWatchlist", "createWebhook", "deleteWatchlist", "deleteWebhook"],
		...["redeliver", "replayWebhook", "rotateWebhook", "testWebhook"],
	];
	expect(others.sort()).toEqual(
		[
			"buyCredits",
			"changeCredits",
			"changeKey",
			"confirmAlerts",
			"confirmEmail",
			"deleteAccount",
			"exportAccount",
			"getQuery",
			"openDispute",
			"recoverKey",
			"register",
			"requestKey",
			"revokeKey",
			"rotateKey",
			"startCheckout",
			"stopAlerts",
			"verifyEmail",
			...ofAccounts,
		].sort(),
	);
	expect(
		[...tools.values()].filter(({ declared }) => declared.http.method === "POST").map(({ declared }) => declared.name),
	).toEqual(["compareDays", "runQuery", "quote", "resolveMany"]);
});

test("mandatory arguments are required, and unknown ones are refused", () => {
	const { tool } = toolsOfRegistry().get("get_project") ?? {};
	expect(tool?.inputSchema).toMatchObject({ required: ["project_id"], additionalProperties: false });
	expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(["project_id", "region", "fields", "as_of"]);
	expect(tool?.description).toMatch(/\(GET \/projects\/\{project_id\}; standard price, \$0\.01\)$/);
});

test("a result has room for the longest answer that can be paid for", () => {
	const [, onTheBus] = /max_payload: (\d+)MB/.exec(renderNatsConfig("", "", { port: 1, passwords: {} })) ?? [];
	expect(maxJsonBytes).toBeGreaterThan(Number(onTheBus) * 1_048_576);
	expect(maxJsonBytes).toBeGreaterThan(queryLimits.bytes + maxPartBytes);
});

test("a tool offers no format that is no text", () => {
	const { tool } = toolsOfRegistry().get("export_projects") ?? {};
	expect(tool?.inputSchema.properties?.format).toMatchObject({ type: "string", enum: ["csv"] });
	const manifest = toolsOfRegistry().get("get_export_manifest")?.tool;
	expect(manifest?.inputSchema.properties?.format).toMatchObject({
		enum: ["csv", "parquet", "csv.gz", "ndjson", "xlsx", "arrow", "geojson"],
	});
	expect([tool, manifest].map((each) => each?.inputSchema.properties?.compression === undefined)).toEqual([
		true,
		false,
	]);
});

test("a tool's description names other tools, not their paths, and nothing that only HTTP has", () => {
	const tools = [...toolsOfRegistry().values()];
	const paths = new Set<string>(tools.map(({ declared }) => declared.http.path));
	for (const { tool } of tools) {
		const { description = "", inputSchema, outputSchema } = tool;
		const ofSchemas = [...JSON.stringify([inputSchema, outputSchema]).matchAll(/"description":"([^"]*)"/g)];
		// The end of a description says where the same is over HTTP.
		const texts = [description.replace(/ \([^()]*\)$/, ""), ...ofSchemas.map(([, text = ""]) => text)].join("\n");
		expect([tool.name, texts.match(/\bAccept\b/)]).toEqual([tool.name, null]);
		const named = [...texts.matchAll(/(?<!\w)\/[a-z][\w/-]*/g)].map(([path]) => path);
		expect([tool.name, named.filter((path) => paths.has(path))]).toEqual([tool.name, []]);
	}
});

test("a tool's description states its limits", () => {
	const descriptionOf = (name: string) => toolsOfRegistry().get(name)?.tool.description;
	expect(descriptionOf("run_query")).toMatch(/as JSON: at most 10000 rows, 5 MiB and 5 s;.*get_query_schema/);
	expect(descriptionOf("export_projects")).toMatch(/at most the first 1 MiB,.*get_export_manifest/);
	expect(descriptionOf("list_projects")).toContain("Up to 500 rows a call");
	const { sql } = toolsOfRegistry().get("run_query")?.tool.inputSchema.properties ?? {};
	expect(JSON.stringify(sql).match(/get_query_schema/g)).toHaveLength(1);
});

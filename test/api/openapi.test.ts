import { expect, test } from "vitest";
import { pythonInterface } from "../../deploy/local/python-types.ts";
import { openapiDocument } from "../../services/gateway/documents/openapi/openapi.ts";
import { httpOperations } from "../../services/gateway/registry/bindings.ts";
import { expectRecorded, expectRecordedText } from "./support/snapshot.ts";

interface Operation {
	operationId: string;
	tags: string[];
	parameters: { name: string; in: string; required: boolean; description?: string; schema: object }[];
}
const document = openapiDocument() as { openapi: string; paths: Record<string, Record<string, Operation>> };
const documented = Object.values(document.paths).flatMap((path) => Object.values(path));

test("the interface equals the snapshot (UPDATE_SNAPSHOT=1 rewrites it)", async () => {
	await expectRecorded(document, new URL("openapi.snapshot.json", import.meta.url));
});

test("the Python client is printed from the interface (UPDATE_SNAPSHOT=1 rewrites it)", async () => {
	for (const [name, text] of Object.entries(pythonInterface()))
		await expectRecordedText(text, new URL(`../../clients/python/src/eids/${name}`, import.meta.url));
});

test("every operation is documented once, under one resource", () => {
	// A path with two methods stands where its first is declared.
	expect(documented.map((operation) => operation.operationId).sort()).toEqual(
		httpOperations()
			.map(({ name }) => name)
			.sort(),
	);
	for (const operation of documented) expect(operation.tags).toHaveLength(1);
});

const requiredInQuery = [
	"getQuery.sql",
	"deleteAccount.confirm",
	"verifyValue.project_id",
	"verifyValue.field",
	"resolve.q",
	"search.q",
	"searchDevelopers.q",
	"calculateTaxCredits.technology",
	"calculateTaxCredits.capacity_mw",
	"calculateTaxCredits.state",
];

test("every parameter has a description, and only those without a default are required", () => {
	for (const operation of documented) {
		for (const parameter of operation.parameters) {
			const where = `${operation.operationId}.${parameter.name}`;
			expect(parameter.description, where).toMatch(/./);
			expect(parameter.schema, where).toHaveProperty("type");
			expect(parameter.required, where).toBe(parameter.in === "path" || requiredInQuery.includes(where));
		}
	}
});

test("every reference resolves", () => {
	const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
	for (const [, path = ""] of references) {
		const target = path.split("/").reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
		expect(target, path).toBeDefined();
	}
});

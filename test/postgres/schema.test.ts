import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../../deploy/local/data-dir.ts";
import { services } from "../../deploy/local/services.ts";
import { createDatabase } from "../support/database.ts";
import { schemaPage } from "../support/schema-page.ts";

const database = await createDatabase();
afterAll(() => database.drop());

const schemas = services.flatMap(({ schema }) => (schema ? [schema] : []));

test("every service with a schema has a page about it", () => {
	expect(schemas.toSorted()).toEqual(["billing", "queue_ingest", "scoring", "signals", "subscriptions"]);
});

test.each(schemas)(
	"docs/schema/%s.sql equals the result of the migrations (UPDATE_SNAPSHOT=1 rewrites it)",
	async (schema) => {
		const path = join(root, "docs/schema", `${schema}.sql`);
		const page = await schemaPage(database.adminUrl, schema);
		if (process.env.UPDATE_SNAPSHOT === "1") {
			mkdirSync(join(root, "docs/schema"), { recursive: true });
			writeFileSync(path, page);
		}
		expect(readFileSync(path, "utf8")).toBe(page);
	},
);

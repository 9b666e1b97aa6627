import { expect, test } from "vitest";
import { startGateway, versioned } from "../api/support/gateway.ts";

test("while signals does not respond, operations that need it are 503, and the health check is not", async () => {
	await using gateway = await startGateway({
		owner: {
			describeDatabases: async () =>
				versioned({ databases: [{ name: "master", row_count: 3_000_000, size_mb: 1, last_modified: null }] }),
			listPipelines: async () => versioned({ pipelines: [] }),
			listSources: async () => versioned({ sources: [], notes: {} }),
		},
	});
	for (const path of ["/events", "/capital-raises", "/health/freshness", "/health/detailed", "/source-freshness"])
		expect([path, (await gateway.get(path)).status]).toEqual([path, 503]);
	expect((await gateway.get("/health")).status).toBe(200);
});

/** Stacks side by side, and what a start leaves behind that fails. Skipped where no Docker engine answers. */
import { describe, expect, test } from "vitest";
import { EnergyDataStack } from "../../deploy/testcontainers/energy-data-stack.ts";
import { docker } from "../deploy/support/docker.ts";
import { eventually } from "../support/eventually.ts";
import { away, here, images } from "./images.ts";

const options = away === undefined ? await images() : {};
const label = "label=org.testcontainers=true";
const ours = async () =>
	(await Promise.all([docker("ps", "-aq", "--filter", label), docker("network", "ls", "-q", "--filter", label)]))
		.join("\n")
		.split("\n")
		.sort();

describe.skipIf(away)(`stacks${here}`, () => {
	test("two run in parallel, each with its own data and keys, and leave nothing behind", async () => {
		const before = await ours();
		{
			const start = () => new EnergyDataStack({ ...options, data: "none", keyless: "closed" }).start();
			await using first = await start();
			await using second = await start();
			const headers = { "X-API-Key": await first.issueKey() };
			const plans = async ({ url }: { url: string }) => (await fetch(`${url}/usage`, { headers })).status;
			expect([await plans(first), await plans(second)]).toEqual([200, 403]);
			const { outcome } = await first.loadList(
				"MISO",
				"services/queue-ingest/admin/sample/files/miso/today/getprojects",
			);
			expect(outcome).toBe("applied");
			const total = async ({ url }: { url: string }) => {
				const headers = { "X-API-Key": await (url === first.url ? first : second).issueKey("Growth") };
				const answer = await fetch(`${url}/projects?per_page=1`, { headers });
				return ((await answer.json()) as { meta: { total: number } }).meta.total;
			};
			await eventually(async () => (await total(first)) > 0, { withinMs: 60_000, everyMs: 1_000 });
			expect(await total(second)).toBe(0);
			expect(first.logs()).toContain("gateway is ready");
		}
		expect(await ours()).toEqual(before);
	}, 1_200_000);

	test("a failed start reports the container and its last lines, and removes the others", async () => {
		const before = await ours();
		const starting = new EnergyDataStack({ ...options, data: "none", gateway: { PORT: "none" } }).start();
		await expect(starting).rejects.toThrow(/^gateway failed: .*PORT/s);
		expect(await ours()).toEqual(before);
	}, 600_000);

	test("a refused list and a missing list are errors", async () => {
		await using stack = await new EnergyDataStack({ ...options, data: "none" }).start();
		await expect(stack.loadList("MISO", import.meta.filename)).rejects.toThrow(/^ingest failed/);
		await expect(stack.loadList("MISO", "nowhere.json")).rejects.toThrow("there is no file nowhere.json");
	}, 600_000);
});

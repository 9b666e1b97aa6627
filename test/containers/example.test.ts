/** The example of docs/testcontainers.md, which shows what is between the two lines: another team's suite. Skipped where no Docker engine answers. */
import { away, here, images } from "./images.ts";

const options = away === undefined ? await images() : {};

// ---- example
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EnergyDataStack, type StartedEnergyDataStack } from "../../deploy/testcontainers/energy-data-stack.ts";

describe.skipIf(away)(`an application on the energy data service${here}`, () => {
	let stack: StartedEnergyDataStack;
	beforeAll(async () => {
		stack = await new EnergyDataStack({ ...options, data: "sample", keyless: "closed" }).start();
	}, 600_000);
	afterAll(() => stack?.stop(), 120_000);

	test("a key reads the list of projects", async () => {
		expect((await fetch(`${stack.url}/projects?state=TX`)).status).toBe(403);
		const headers = { "X-API-Key": await stack.issueKey("Growth") };
		const answer = await fetch(`${stack.url}/projects?state=TX`, { headers });
		expect(await answer.json()).toMatchObject({
			data: expect.arrayContaining([expect.objectContaining({ state: "TX" })]),
		});
	}, 120_000);

	test("a subscriber gets the withdrawal of a request", async () => {
		const requests = JSON.parse(
			await readFile("services/queue-ingest/admin/sample/files/miso/today/getprojects", "utf8"),
		);
		const file = join(tmpdir(), "getprojects.json");
		await writeFile(file, JSON.stringify(requests));
		// The first list that is taken in takes the sample's place.
		expect(await stack.loadList("MISO", file)).toMatchObject({ outcome: "applied" });

		const nats = await connect({ servers: stack.natsUrl, ...stack.natsLogin });
		const consumer = await jetstream(nats).consumers.get("QUEUE_INGEST", {
			filter_subjects: "event.queue-ingest.project.changed",
			// From now on; without it, from the first event that the stream still has.
			deliver_policy: "new",
		});
		const events = await consumer.consume();
		requests[0].applicationStatus = "Withdrawn";
		requests[0].withdrawnDate = "2026-11-01T04:00:00+00:00";
		await writeFile(file, JSON.stringify(requests));
		expect(await stack.loadList("MISO", file)).toMatchObject({ outcome: "applied" });
		for await (const event of events) {
			const { project, changes } = event.json<{ project: { id: string }; changes: { change_type: string }[] }>();
			if (!changes.some(({ change_type }) => change_type === "status_change")) continue;
			expect(project).toMatchObject({ id: `MISO-${requests[0].projectNumber}`, status_std: "Withdrawn" });
			break;
		}
		await nats.close();
	}, 300_000);
});
// ---- end

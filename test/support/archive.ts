/** The archive of a world, made as the job makes it. */
import { tmpdir } from "node:os";
import { archiveDays } from "../../services/queue-ingest/history/dated-files/archive-days.ts";
import { openArchive } from "../../services/queue-ingest/history/dated-files/bucket.ts";
import type { World } from "./world.ts";

const dayMs = 86_400_000;

/** Archives today, as if it had ended. Answers the parameters of its full file. */
export async function archiveToday(world: World): Promise<{ dataset: string; series: string; file: string }> {
	const tomorrow = new Date(Date.now() + dayMs);
	const never = new AbortController().signal;
	const options = { now: () => tomorrow, dir: tmpdir(), signal: never };
	const [day] = await archiveDays(world.sql, await openArchive(world.bus), options);
	if (day === undefined) throw new Error("no day was archived");
	return { dataset: "projects", series: "full", file: `${day.slice(0, 7)}.parquet` };
}

import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { jsonReply } from "#libs/postgres/reply.ts";
import { assess } from "../domain/assess.ts";
import { readRequests } from "../jobs/requests.ts";
import { loadReferences } from "../references.ts";
import type { Resources } from "../resources.ts";

/** The stored score; of a request that is not scored, because it was built or withdrawn, the reason is computed as it is asked for. */
export function readScore({ sql, now, notice_2025_42 }: Resources): Handler<"readScore"> {
	return async ({ project_id }) => {
		const stored = await jsonReply<Reply<"readScore">>(
			sql,
			sql`
			select json_build_object('project_id', project_id, 'investability_score', score, 'grade', grade, 'components', components,
				'explanation', explanation, 'scored', true, 'investable', investable, 'deductions', deductions,
				'score_version', score_version, 'inputs', inputs, 'inputs_hash', inputs_hash, 'scored_at', iso(scored_at))
			from scores where project_id = ${project_id} and score_version = (select active_version from settings)`,
		);
		if (stored !== null) return stored;
		const dataVersion = await readDataVersion(sql);
		const [request] = await readRequests(sql, [project_id]);
		const [settings] = await sql<{ active_version: number }[]>`select active_version from settings`;
		if (request === undefined || settings === undefined) throw notFound(`no score of ${project_id}`);
		const at = now();
		const basis = { today: at.toISOString().slice(0, 10), references: await loadReferences(sql), notice_2025_42 };
		const { inputs, hash, scores } = assess(request, [settings.active_version], basis);
		const [scored] = scores;
		if (scored === undefined) throw new Error("a version without a score");
		const { score, ...rest } = scored.score;
		const reply: Reply<"readScore"> = {
			project_id,
			investability_score: score,
			...rest,
			score_version: scored.version,
			inputs: { ...inputs },
			inputs_hash: hash,
			scored_at: at.toISOString(),
		};
		return { json: JSON.stringify(reply), dataVersion };
	};
}

/** Reads requests with all data from which their scores are computed, and their last published payload. */
import type { z } from "zod";
import type { projectScored } from "#libs/contract/events/scoring.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { Request } from "../domain/assess.ts";
import { factColumns } from "../domain/facts.ts";
import { currentVersion } from "../domain/score/version.ts";

/** A published payload without the request's id and the fields that all events have. */
export type PublishedPayload = Omit<
	z.output<(typeof projectScored)["payload"]>,
	"id" | "occurred_at" | "version" | "project_id"
>;

export interface StoredRequest extends Request {
	facts: Request["facts"] & { open: boolean; shown: boolean };
	/** Hash of the inputs of the current version's score; null if there is no score or its copied columns are outdated. */
	inputs_hash: string | null;
	payload: PublishedPayload | null;
	payload_version: number | null;
}

export function readRequests(sql: Sql | Transaction, ids: readonly string[]): Promise<StoredRequest[]> {
	return (sql as Sql)<StoredRequest[]>`
		select facts, i.cost_usd_per_kw,
			case when s.developer_id is not null then json_build_object('distress', nullif(s.distress_level, 'unknown'),
				'operational', s.counts -> 'operational', 'withdrawn', s.counts -> 'withdrawn') end as developer,
			p.twin_key is not null and exists (
				select from projects o where o.twin_key = p.twin_key and o.project_id <> p.project_id) as duplicate,
			(select inputs_hash from scores own where own.project_id = p.project_id and score_version = ${currentVersion}
				and (own.project_region, own.project_state, own.project_type_std, own.project_capacity_mw)
					is not distinct from (p.region, p.state, p.type_std, p.capacity_mw)) as inputs_hash,
			t.payload, t.version as payload_version
		from projects p
		left join feeds d using (feed)
		cross join lateral (select row_to_json(f) as facts from (select p.project_id,
			left(iso(d.as_of), 10) as facts_as_of, ${(sql as Sql).unsafe(factColumns)}, p.located, p.cod_changes, p.shown, p.open) f) j
		left join interconnection_costs i using (project_id)
		left join developer_ratings s on s.developer_id = p.developer_id
		left join published_scores t using (project_id)
		where p.project_id = any(${[...ids]}::text[])`;
}

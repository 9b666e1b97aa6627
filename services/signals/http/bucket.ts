/** A token bucket and a cool-down for each host, kept in the database so that all replicas share them. Its clock is the database's. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Policy } from "./policies.ts";

/** Longest cool-down (ms), however often a host has refused. */
const longestCoolDownMs = 6 * 3_600_000;

/** Takes one request's token: 0, or how many ms to wait before asking again. */
export async function take(sql: Sql, { name, perSecond, burst }: Policy): Promise<number> {
	await sql`
		insert into hosts (host, tokens, refilled_at) values (${name}, ${burst}, clock_timestamp())
		on conflict do nothing`;
	const [row] = await sql<{ wait_ms: number }[]>`
		with state as (
			select host, clock_timestamp() as now, cooling_until,
				least(${burst}::float8, tokens + ${perSecond}::float8 * extract(epoch from clock_timestamp() - refilled_at)) as tokens
			from hosts where host = ${name} for update),
		taken as (
			update hosts h set tokens = s.tokens - 1, refilled_at = s.now
			from state s where h.host = s.host and s.tokens >= 1 and s.cooling_until <= s.now
			returning h.host)
		select case when exists (select from taken) then 0
			else ceil(1000 * greatest(extract(epoch from greatest(s.cooling_until, s.now) - s.now), (1 - s.tokens) / ${perSecond}::float8, 0.001))
			end::float8 as wait_ms
		from state s`;
	return row?.wait_ms ?? 0;
}

/** The host refused: no replica sends it a request for the policy's cool-down, doubled for each refusal in a row, or as long as it said. */
export async function coolDown(sql: Sql, { name, coolDownMs }: Policy, retryAfterMs: number | null): Promise<void> {
	await sql`
		update hosts set failures = failures + 1, cooling_until = greatest(cooling_until, clock_timestamp() + make_interval(secs =>
			least(${longestCoolDownMs}::float8, greatest(${retryAfterMs ?? 0}::float8, ${coolDownMs}::float8 * 2 ^ least(failures, 10))) / 1000))
		where host = ${name}`;
}

export async function recovered(sql: Sql, { name }: Policy): Promise<void> {
	await sql`update hosts set failures = 0 where host = ${name} and failures > 0`;
}

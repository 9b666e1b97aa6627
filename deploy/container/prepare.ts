/**
 * The administrator's step for a database anywhere: the roles and their passwords, the schemas, then all migrations.
 *
 *     ADMIN_POSTGRES_URL=postgres://postgres:...@host/postgres POSTGRES_PASSWORD_SIGNALS=... node deploy/container/prepare.ts
 *
 * Safe to repeat, which is also how passwords are changed, and for several at once: they take turns.
 */
import { z } from "zod";
import { ConfigError, loadConfig } from "#libs/service/config.ts";
import { connect } from "../../libs/postgres/connect.ts";
import { waitForLock } from "../../libs/postgres/lock.ts";
import { prepareDatabase, type Role, urlOf } from "../engines/postgres-roles.ts";
import { runProgram, UserError } from "../local/program.ts";
import { makeDatabase } from "./make-database.ts";
import { demandRights, lookAtPublic } from "./rights.ts";
import { asVariable, stores } from "./secrets.ts";

/** Longest wait for another one that prepares the same server. */
const turnMs = 15 * 60_000;

const password = (whose: string) => z.string().min(1).describe(`Password of ${whose}`);

export const configSchema = z.object({
	ADMIN_POSTGRES_URL: z
		.url()
		.describe("Of a role with CREATEROLE and CREATEDB, or a superuser; its database must be there already"),
	POSTGRES_DATABASE: z
		.string()
		.regex(/^[a-z_][a-z0-9_]{0,62}$/, "must be lower-case letters, digits and _")
		.default("energy")
		.describe("Made if it is not there"),
	...Object.fromEntries(
		stores().map(({ name, schema }) => [`POSTGRES_PASSWORD_${asVariable(name)}`, password(`the role ${schema}`)]),
	),
});

if (import.meta.main) await runProgram(() => prepare(process.env, (line) => process.stdout.write(`${line}\n`)));

export async function prepare(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
	const config: Record<string, string> = readConfig(env);
	const { ADMIN_POSTGRES_URL: adminUrl = "", POSTGRES_DATABASE: database = "" } = config;
	await using admin = connect(adminUrl, { schema: "public", name: "prepare", max: 1, statementTimeoutMs: 0 });
	// PostgreSQL gives up a statement that meets another's on the same role or database, rather than have it wait.
	await using _turn = await waitForLock(admin, "prepare", AbortSignal.timeout(turnMs));
	const roles = stores().map(({ name, schema }) => ({ service: name, role: roleOf(config, name, schema) }));
	const all = roles.map(({ role }) => role);
	await demandRights(
		admin,
		database,
		all.map(({ name }) => name),
	);
	say(await makeDatabase(admin, database));
	await prepareDatabase(adminUrl, database, all);
	await using inside = connect(urlOf(adminUrl, database), { schema: "public", name: "prepare", max: 1 });
	for (const line of await lookAtPublic(inside, database)) say(line);
	say(`${database}: roles and schemas ${all.map(({ name }) => name).join(", ")}`);
	for (const { service, role } of roles) {
		const { migrate } = await import(new URL(`../../services/${service}/migrate.ts`, import.meta.url).href);
		const applied: string[] = await migrate(urlOf(adminUrl, database, role));
		say(`${role.name}: ${applied.length === 0 ? "nothing to migrate" : applied.join(", ")}`);
	}
}

function readConfig(env: NodeJS.ProcessEnv): Record<string, string> {
	try {
		return loadConfig(configSchema, env);
	} catch (error) {
		throw error instanceof ConfigError ? new UserError(error.message) : error;
	}
}

function roleOf(config: Record<string, string>, service: string, schema: string): Role {
	return { name: schema, password: config[`POSTGRES_PASSWORD_${asVariable(service)}`] ?? "" };
}

import { randomBytes } from "node:crypto";
import { execute, limitTemporary, type Role, urlOf } from "../../deploy/engines/postgres-roles.ts";
import { services } from "../../deploy/local/services.ts";
import { connect, type Sql } from "../../libs/postgres/connect.ts";
import { roles } from "./servers.ts";

export interface TestDatabase extends AsyncDisposable {
	/** The address with the service's own role, as in production. */
	url: string;
	/** The same database as another service's role. */
	urlOf(service: string): string;
	/** The address with the administrator, who may read every schema. */
	adminUrl: string;
	drop(): Promise<void>;
}

/** An empty, migrated database of one's own: a copy of the template, which takes some 50 ms. Of another database where one is named. */
export async function createDatabase(service = "queue-ingest", copied?: string): Promise<TestDatabase> {
	const { server, template: empty } = place();
	const template = copied ?? empty;
	const name = `test_${randomBytes(6).toString("hex")}`;
	const administrator = administratorOf(server);
	await execute(administrator, "create database %I template %I strategy file_copy", name, template);
	await limitTemporary(administrator, name, roles);
	const drop = () => execute(administratorOf(server), "drop database if exists %I with (force)", name);
	const urlAs = (other: string) => urlOf(server, name, roleOf(other));
	return { url: urlAs(service), urlOf: urlAs, adminUrl: urlOf(server, name), drop, [Symbol.asyncDispose]: drop };
}

/** The server of this run and the name of its empty database. */
export function place(): { server: string; template: string } {
	const { TEST_POSTGRES_URL: server, TEST_POSTGRES_TEMPLATE: template } = process.env;
	if (!server || !template) throw new Error("startServers() has not run: tests with a database belong under test/");
	return { server, template };
}

function roleOf(service: string): Role {
	const schema = services.find(({ name }) => name === service)?.schema;
	const role = roles.find(({ name }) => name === schema);
	if (!role) throw new Error(`${service} stores nothing`);
	return role;
}

let administrator: { url: string; sql: Sql } | undefined;

/** One connection for all databases of a test file; it closes itself where nothing is asked of it for a second. */
function administratorOf(url: string): Sql {
	if (administrator?.url !== url)
		administrator = { url, sql: connect(url, { schema: "public", name: "tests", max: 1, idleSeconds: 1 }) };
	return administrator.sql;
}

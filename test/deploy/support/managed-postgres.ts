/**
 * A PostgreSQL whose administrator is what managed ones give: a role with CREATEROLE and CREATEDB that is no superuser. Of the version that
 * came with the packages, of those that Debian installed, and of those in POSTGRES_SOFTWARE (folders with bin/, parted by `:`).
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { urlOf } from "../../../deploy/engines/postgres-roles.ts";
import type { Children } from "../../../deploy/local/children.ts";
import { freePort } from "../../../deploy/local/data-dir.ts";
import { launchPostgres, type Postgres, startPostgres } from "../../../deploy/local/postgres.ts";
import { makeServerFolder, placePostgres } from "../../../deploy/local/postgres-place.ts";
import { openHome } from "../../support/home.ts";

export interface ManagedPostgres extends AsyncDisposable {
	/** The address with the administrator `operator`. */
	adminUrl: string;
	/** The address with the provider's superuser. */
	superuserUrl: string;
	provider: Sql;
}

const bundled = "the bundled PostgreSQL";

/** Programs of PostgreSQL, with a name for titles of tests. */
export const softwares: readonly string[] = [
	bundled,
	...foldersOfDebian(),
	...(process.env.POSTGRES_SOFTWARE ?? "").split(":"),
].filter((folder) => folder !== "");

function foldersOfDebian(): string[] {
	const home = "/usr/lib/postgresql";
	const folders = existsSync(home) ? readdirSync(home).map((version) => join(home, version)) : [];
	return folders.filter((folder) => existsSync(join(folder, "bin", "initdb")));
}

export async function startManaged(software: string): Promise<ManagedPostgres> {
	await using stack = new AsyncDisposableStack();
	const { directory, children } = stack.use(openHome());
	const { adminUrl: superuserUrl } = await start(children, directory, software);
	const provider = stack.use(connect(superuserUrl, { schema: "public", name: "provider", max: 1 }));
	await provider.unsafe("create role operator login createrole createdb password 'operator'");
	const owned = stack.move();
	const operator = { name: "operator", password: "operator" };
	return {
		superuserUrl,
		adminUrl: urlOf(superuserUrl, "postgres", operator),
		provider,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function start(children: Children, directory: string, software: string): Promise<Postgres> {
	const options = { port: await freePort(), password: "superuser", durable: false };
	if (software === bundled) return await startPostgres(children, directory, options);
	const place = { ...placePostgres(directory), software };
	makeServerFolder(place.cluster, place.user);
	const initdb = children.launch({
		name: "initdb",
		program: join(software, "bin", "initdb"),
		args: ["-D", place.cluster, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
		cwd: place.cluster,
		user: place.user,
	});
	if ((await initdb.exited).code !== 0) throw children.failure(initdb);
	return await launchPostgres(children, place, options);
}

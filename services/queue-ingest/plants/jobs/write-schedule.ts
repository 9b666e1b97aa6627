/** Puts the rows of one schedule of one year in the place of those that were there. */
import type { Transaction } from "#libs/postgres/connect.ts";
import { generatorSchedules, type Schedule, type ScheduleFile } from "../sources/schedule.ts";

const utilityColumns = "utility_id integer, name text, street text, city text, state text, zip text, entity_type text";
const plantColumns = `plant_id integer, name text, utility_id integer, utility_name text, street text, city text, state text,
	zip text, county text, lat float8, lon float8, nerc_region text, balancing_authority text, sector text, grid_owner text,
	grid_voltage_kv float8`;
const generatorColumns = `plant_id integer, generator_id text, stage text, status text, technology text, prime_mover text,
	utility_id integer, utility_name text, plant_name text, state text, county text, capacity_mw float8, summer_mw float8,
	operating_year integer`;
const ownerColumns = `plant_id integer, generator_id text, position integer, owner_id integer, owner_name text, fraction float8,
	owner_street text, owner_city text, owner_state text, owner_zip text, status text, plant_name text, state text,
	utility_id integer, utility_name text`;

const isGenerators = (schedule: Schedule): boolean => generatorSchedules.some((name) => name === schedule);

function targetOf(schedule: Schedule): { table: string; columns: string } {
	if (schedule === "utility") return { table: "utilities", columns: utilityColumns };
	if (schedule === "plant") return { table: "plants", columns: plantColumns };
	return schedule === "owner"
		? { table: "plant_owners", columns: ownerColumns }
		: { table: "generators", columns: generatorColumns };
}

const batch = 4_000;

export async function writeSchedule(tx: Transaction, file: ScheduleFile, sha256: string): Promise<void> {
	const { table, columns } = targetOf(file.schedule);
	const names = columns
		.split(",")
		.map((column) => column.trim().split(" ")[0])
		.join(", ");
	const key = isGenerators(file.schedule) ? "year, schedule" : "year";
	const values = isGenerators(file.schedule) ? "$1::integer, $2::text" : "$1::integer";
	const keyValues = isGenerators(file.schedule) ? [file.year, file.schedule] : [file.year];
	await tx.unsafe(`delete from ${table} where (${key}) = (${values})`, keyValues);
	for (let at = 0; at < file.records.length; at += batch) {
		await tx.unsafe(
			`insert into ${table} (${key}, ${names})
			select ${values}, ${names} from jsonb_to_recordset($${keyValues.length + 1}::text::jsonb) as t (${columns})`,
			[...keyValues, JSON.stringify(file.records.slice(at, at + batch))],
		);
	}
	await tx.unsafe(`analyze ${table}`);
	await tx`
		insert into eia_schedules (year, schedule, sha256, early_release, published_on, stored)
		values (${file.year}, ${file.schedule}, ${sha256}, ${file.earlyRelease}, ${file.publishedOn}, ${file.records.length})
		on conflict (year, schedule) do update set sha256 = excluded.sha256, early_release = excluded.early_release,
			published_on = excluded.published_on, stored = excluded.stored, loaded_at = now()`;
}

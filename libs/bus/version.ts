/** Announces a service's current data version to the gateway in plain messages, which are repeated in case one is lost. */
import { type Owner, versionSubject } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion, versionChannel } from "#libs/postgres/data-version.ts";
import type { Bus } from "./connect.ts";
import { incidentOf } from "./incident.ts";
import { listen, send } from "./plain-messages.ts";

/** How often the version is repeated (ms). This limits how long a gateway can miss a change. */
const versionHeartbeatMs = 2_000;

/** Announces each raised version at once, and the current one every `heartbeatMs`. */
export async function announceVersions(
	bus: Bus,
	sql: Sql,
	schema: string,
	owner: Owner,
	heartbeatMs = versionHeartbeatMs,
): Promise<AsyncDisposable> {
	const subject = versionSubject(owner);
	const publish = (version: string) => send(bus, subject, version);
	const incident = incidentOf({
		log: bus.log,
		fields: { owner },
		message: "the data version could not be read",
		closed: "the data version is read again",
	});
	let reading = false;
	const repeat = async () => {
		if (reading) return;
		reading = true;
		try {
			publish(String(await readDataVersion(sql)));
			incident.close();
		} catch (error) {
			incident.open(error);
		} finally {
			reading = false;
		}
	};
	const listening = await sql.listen(versionChannel(schema), publish, () => void repeat());
	const timer = setInterval(() => void repeat(), heartbeatMs);
	return {
		async [Symbol.asyncDispose]() {
			clearInterval(timer);
			await listening.unlisten().catch(() => {});
		},
	};
}

/** Calls `onVersion` with each announced version of `owner`, repeated ones too, in no guaranteed order. */
export const watchVersions = (bus: Bus, owner: Owner, onVersion: (version: number) => void): Disposable =>
	listen(bus, versionSubject(owner), (text) => onVersion(Number(text)));

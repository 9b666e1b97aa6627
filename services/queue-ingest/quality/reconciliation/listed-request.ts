/** Requests of an operator's queue, as its list and as another publisher's edition has them. */
import type { Listing, Status, StatusBasis, StatusFlag } from "#libs/contract/vocabulary.ts";

/** As an operator's list had it on the day that is compared. */
export interface OurRequest {
	id: string;
	/** Its numbers, normalised. */
	keys: string[];
	kind: string;
	name: string | null;
	typeStd: string;
	status: Status;
	statusBasis: StatusBasis | null;
	statusFlag: StatusFlag | null;
	listed: Listing;
	mw: number | null;
	summerMw: number | null;
	winterMw: number | null;
	/** Capacities of the parts that the newest list states, together; null where it states none. */
	partsMw: number | null;
	/** PJM's: it asks for capacity rights of a plant, and for no energy. */
	isForRights: boolean;
	queueDate: string | null;
	actualCod: string | null;
	withdrawnDate: string | null;
}

/** As an edition has it. */
export interface ListedRequest {
	id: string;
	key: string;
	name: string | null;
	status: Status;
	/** All parts together, as the publisher sums them up. */
	mw: number | null;
	parts: number;
	queueDate: string | null;
}

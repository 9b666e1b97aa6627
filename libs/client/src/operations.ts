/** Where each operation is. The package has the table as it stands when it is built (`build.ts`), and nothing of the contract. */
import { type OperationShape, operations } from "../../contract/index.ts";
import type { Calls } from "./contract.ts";

export interface Place {
	method: string;
	path: string;
	/** Its list can be read from end to end with `cursor`. */
	isList?: true;
	/** A POST that changes nothing: it may be sent again. */
	isRead?: true;
}

export const places = Object.fromEntries(
	Object.entries<OperationShape>(operations).flatMap(([name, { http, params }]) => {
		if (http === undefined) return [];
		const isList = http.method === "GET" && "cursor" in params.shape;
		const place: Place = {
			method: http.method,
			path: http.path,
			...(isList && { isList }),
			...(http.readsByPost && { isRead: true }),
		};
		return [[name, place]];
	}),
) as Record<keyof Calls, Place>;

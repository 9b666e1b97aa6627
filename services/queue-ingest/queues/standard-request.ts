/** A filed request with the product's vocabulary and place added: what is stored of one row of one list. */
import type { ConstructionStage, IaStatus, LocationPrecision } from "#libs/contract/vocabulary.ts";
import type { Component, FiledRequest } from "../sources/source.ts";

export interface StandardRequest extends Omit<FiledRequest, "evidence" | "county" | "state" | "components"> {
	/** As filed; else of a hybrid those that `typeStd` names. */
	components: Component[];
	/** First valid county, by its official name; the cleaned filed text where it is none. */
	county: string | null;
	counties: string[];
	/** Two letters. */
	state: string | null;
	/** Five digits. */
	fips: string | null;
	lat: number | null;
	lon: number | null;
	locationPrecision: LocationPrecision | null;
	constructionStage: ConstructionStage;
	/** 0 to 1, two decimals. */
	constructionStageConfidence: number;
	iaStatus: IaStatus;
}

/** Long work on the server: start it, follow it by events, stop it, find it again. */

import { ApiError, apiPath, get, post, remove, reportConnection } from "./api.js";

const ENDED = new Set(["done", "stopped", "failed"]);
const MOST_STREAMS = 2; // a browser opens few connections to one server: further jobs are asked after
const POLL = 700; // milliseconds between two questions about a job
const POLL_HIDDEN = 4000; // while the page is not looked at
const NOT_FOUND = 404;
let streams = 0;

/** @param {JobData} job */
export const hasEnded = (job) => ENDED.has(job.state);

/**
 * What a job waits for, in words: its turn, or a compiler; empty if it is running.
 * @param {JobData | null} job
 */
export function waitText(job) {
  if (!job || hasEnded(job)) return "";
  if (job.note) return job.note;
  if (job.state !== "queued") return "";
  return `waiting for a turn on the machine${job.place ? `, place ${job.place}` : ""} …`;
}

/**
 * Start a job and follow it. Returns a Follower at once; errors reach `onError`.
 * @param {JobForm} asked @param {(job: JobData) => void} onJob @param {(error: Error) => void} onError
 */
export function startJob(asked, onJob, onError) {
  const follower = new Follower(onJob, onError);
  post("/jobs", asked).then(
    (job) => follower.begin(job),
    (error) => follower.fail(error),
  );
  return follower;
}

/**
 * Follow a job that exists already.
 * @param {JobData} job @param {(job: JobData) => void} onJob @param {(error: Error) => void} onError
 */
export function followJob(job, onJob, onError) {
  const follower = new Follower(onJob, onError);
  follower.begin(job);
  return follower;
}

/** @returns {Promise<JobData[]>} */
export const listJobs = () => get("/jobs");
/** @param {string} id */
export const readJob = (id) => get(`/jobs/${encodeURIComponent(id)}`);
/** @param {string} id */
export const stopJob = (id) => remove(`/jobs/${encodeURIComponent(id)}`);

export class Follower {
  /** @param {(job: JobData) => void} onJob @param {(error: Error) => void} onError */
  constructor(onJob, onError) {
    this.onJob = onJob;
    this.onError = onError || (() => {});
    /** @type {JobData | null} */
    this.job = null;
    this.isClosed = false;
    this.wantsStop = false;
    /** @type {EventSource | null} */
    this.source = null;
    this.path = "";
    this.timer = 0;
  }

  get isRunning() {
    return !this.isClosed && !(this.job && hasEnded(this.job));
  }

  /** @param {JobData} job */
  begin(job) {
    this.path = `/jobs/${encodeURIComponent(job.id)}`;
    if (this.wantsStop) stopJob(job.id).catch(() => {});
    if (this.isClosed) return;
    this.take(job);
    if (this.isRunning) this.listen();
  }

  /** @param {JobData} job */
  take(job) {
    if (this.isClosed) return;
    this.job = job;
    if (hasEnded(job)) this.hangUp();
    this.onJob(job);
    if (hasEnded(job)) this.isClosed = true;
  }

  /** @param {Error} error */
  fail(error) {
    if (this.isClosed) return;
    this.hangUp();
    this.isClosed = true;
    this.onError(error);
  }

  /**
   * A job that the server does not know ended with the server that did it: it has stopped.
   * @param {unknown} error @param {(error: Error) => void} otherwise
   */
  miss(error, otherwise) {
    if (this.job && error instanceof ApiError && error.status === NOT_FOUND) this.take({ ...this.job, state: "stopped" });
    else otherwise(/** @type {Error} */ (error));
  }

  listen() {
    if (streams >= MOST_STREAMS || document.hidden) {
      this.ask();
      return;
    }
    streams += 1;
    const source = new EventSource(apiPath(`${this.path}/events`));
    this.source = source;
    source.onmessage = (event) => {
      reportConnection(false);
      this.take(JSON.parse(event.data));
    };
    source.onerror = () => {
      if (this.isClosed) return;
      this.hangUp(); // asking says whether the job or the connection is gone
      this.ask();
    };
  }

  /** Ask after the job now and then, until a stream is free again. */
  async ask() {
    try {
      this.take(await get(this.path));
    } catch (error) {
      this.miss(error, (other) => this.fail(other));
      return;
    }
    if (!this.isRunning) return;
    const again = () => (streams < MOST_STREAMS && !document.hidden ? this.listen() : this.ask());
    this.timer = setTimeout(again, document.hidden ? POLL_HIDDEN : POLL);
  }

  hangUp() {
    clearTimeout(this.timer);
    if (!this.source) return;
    this.source.close();
    this.source = null;
    streams -= 1;
  }

  /** Ask the server to stop; what it found so far still arrives. */
  stop() {
    this.wantsStop = true;
    if (this.job && !hasEnded(this.job)) stopJob(this.job.id).catch((error) => this.miss(error, this.onError));
  }

  /** Stop following; `andStop` ends the job as well. */
  close(andStop = false) {
    if (andStop && this.isRunning) this.stop();
    this.hangUp();
    this.isClosed = true;
  }
}

/** JobRunner: one job at a time. Starting another ends the one before, and only the latest reports. */
export class JobRunner {
  /** @param {(job: JobData) => void} onJob @param {(error: Error) => void} onError */
  constructor(onJob, onError) {
    this.onJob = onJob;
    this.onError = onError;
    /** @type {Follower | null} */
    this.follower = null;
  }

  get isRunning() {
    return Boolean(this.follower && this.follower.isRunning);
  }

  /** What the job waits for, in words. */
  get waitText() {
    return waitText(this.follower && this.follower.job);
  }

  /** @param {JobForm} form */
  start(form) {
    this.end();
    const follower = startJob(
      form,
      (job) => follower === this.follower && this.onJob(job),
      (error) => follower === this.follower && this.onError(error),
    );
    this.follower = follower;
  }

  /** Follow a job that exists already. @param {JobData} job */
  follow(job) {
    this.follower = followJob(job, this.onJob, this.onError);
  }

  /** Ask the job to stop; what it found so far still arrives. */
  stop() {
    if (this.follower) this.follower.stop();
  }

  /** End the job; it reports nothing more. */
  end() {
    this.leave(true);
  }

  /** Stop following; without `andStop` the job goes on and can be found again. */
  leave(andStop = false) {
    if (this.follower) this.follower.close(andStop);
    this.follower = null;
  }
}

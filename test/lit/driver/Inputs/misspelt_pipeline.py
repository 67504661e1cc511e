from ttkit import pipelines

pipelines.skip("triton-combin")
